package dev.berth.model.meta;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/**
 * Instants as they stand in objects. Most fields count seconds, {@code 2026-01-31T08:00:00Z}; those
 * of leases and events count microseconds, always with six digits.
 *
 * <p>Written in UTC and cut off, never rounded: a time is not in the future because it was written.
 */
public final class Times {
  private static final int MICRO_DIGITS = 6;
  private static final int NANO_DIGITS = 9;

  /**
   * The second that was written last: most times are now, each write has several, and each of them
   * is read by others.
   */
  private static volatile Second latest = second(0);

  private record Second(long epoch, String text) {}

  private Times() {}

  /** The instant in seconds, as Kubernetes' {@code Time}. */
  public static String format(Instant instant) {
    long epoch = instant.getEpochSecond();
    Second known = latest;
    if (known.epoch != epoch) {
      known = second(epoch);
      latest = known;
    }
    return known.text;
  }

  private static Second second(long epoch) {
    Instant instant = Instant.ofEpochSecond(epoch);
    return new Second(epoch, append(instant, new StringBuilder(20)).append('Z').toString());
  }

  /** The instant in microseconds, as Kubernetes' {@code MicroTime}. */
  public static String formatMicro(Instant instant) {
    StringBuilder text = append(instant, new StringBuilder(27)).append('.');
    pad(text, instant.get(ChronoField.MICRO_OF_SECOND), MICRO_DIGITS);
    return text.append('Z').toString();
  }

  /** An instant as it will be read back after {@link #format}. */
  public static Instant toSeconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS);
  }

  /**
   * Reads a time of RFC 3339, in any zone and with or without a fraction of a second.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static Instant parse(String text) {
    Second known = latest;
    if (known.text.equals(text)) {
      return Instant.ofEpochSecond(known.epoch);
    }
    return parsed(text, fractionDigits(text) >= 0, "2006-01-02T15:04:05Z");
  }

  /**
   * Reads a time of RFC 3339 with six digits of fraction, which Kubernetes insists on.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static Instant parseMicro(String text) {
    return parsed(text, fractionDigits(text) == MICRO_DIGITS, "2006-01-02T15:04:05.000000Z");
  }

  private static Instant parsed(String text, boolean wellFormed, String example) {
    try {
      if (wellFormed) {
        return text.endsWith("Z") ? inUtc(text) : OffsetDateTime.parse(text).toInstant();
      }
    } catch (DateTimeException _) {
      // Digits in the right places, but no such time.
    }
    throw new IllegalArgumentException(
        "parsing time \"" + text + "\": expected a time of RFC 3339, such as " + example);
  }

  /**
   * What nearly all times are: read digit by digit, since heartbeats bring thousands a second, and
   * a {@link java.time.format.DateTimeFormatter} took a tenth of each.
   */
  private static Instant inUtc(String text) {
    boolean separated = text.charAt(4) == '-' && text.charAt(7) == '-' && text.charAt(13) == ':';
    int fraction = text.length() - "2006-01-02T15:04:05.Z".length();
    if (!separated || fraction > NANO_DIGITS) {
      throw new DateTimeException("not a time");
    }
    int nanos = fraction <= 0 ? 0 : number(text, 20, 20 + fraction);
    for (int i = Math.max(0, fraction); i < NANO_DIGITS; i++) {
      nanos *= 10;
    }
    return LocalDateTime.of(
            number(text, 0, 4),
            number(text, 5, 7),
            number(text, 8, 10),
            number(text, 11, 13),
            number(text, 14, 16),
            number(text, 17, 19),
            nanos)
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      int digit = text.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        throw new DateTimeException("not a digit");
      }
      number = 10 * number + digit;
    }
    return number;
  }

  /**
   * How many digits of fraction a time has, or -1 if its form is wrong. Java's own reader is not
   * asked, because it takes lower case, missing seconds, long years and seconds of offset as well.
   */
  private static int fractionDigits(String text) {
    boolean wellFormed =
        text.length() >= 20
            && digitsFrom(text, 0) == 4
            && text.charAt(10) == 'T'
            && text.charAt(16) == ':'
            && digitsFrom(text, 17) == 2;
    if (!wellFormed) {
      return -1;
    }
    boolean hasFraction = text.charAt(19) == '.';
    int digits = hasFraction ? digitsFrom(text, 20) : 0;
    String zone = text.substring(hasFraction ? 20 + digits : 19);
    boolean zoned = zone.equals("Z") || zone.length() == "+00:00".length();
    return zoned && digits > 0 == hasFraction ? digits : -1;
  }

  private static int digitsFrom(String text, int start) {
    int end = start;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end - start;
  }

  private static StringBuilder append(Instant instant, StringBuilder text) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(instant.getEpochSecond(), 0, ZoneOffset.UTC);
    pad(text, time.getYear(), 4).append('-');
    pad(text, time.getMonthValue(), 2).append('-');
    pad(text, time.getDayOfMonth(), 2).append('T');
    pad(text, time.getHour(), 2).append(':');
    pad(text, time.getMinute(), 2).append(':');
    return pad(text, time.getSecond(), 2);
  }

  private static StringBuilder pad(StringBuilder text, int number, int width) {
    String digits = Integer.toString(number);
    return text.repeat('0', Math.max(0, width - digits.length())).append(digits);
  }
}
