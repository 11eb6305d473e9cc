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

  private Times() {}

  /** The instant in seconds, as Kubernetes' {@code Time}. */
  public static String format(Instant instant) {
    return append(instant, new StringBuilder(20)).append('Z').toString();
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
    if (text.length() < 20 || !isStrict(text)) {
      throw malformed(text, "2006-01-02T15:04:05Z");
    }
    return parsed(text, "2006-01-02T15:04:05Z");
  }

  /**
   * Reads a time of RFC 3339 with six digits of fraction, which Kubernetes insists on.
   *
   * @throws IllegalArgumentException if the text is none
   */
  public static Instant parseMicro(String text) {
    String example = "2006-01-02T15:04:05.000000Z";
    boolean wellFormed =
        text.length() >= 27
            && isStrict(text)
            && text.charAt(19) == '.'
            && digitsFrom(text, 20) == MICRO_DIGITS;
    if (!wellFormed) {
      throw malformed(text, example);
    }
    return parsed(text, example);
  }

  /** Java's own reader takes lower case, missing seconds and years of any length as well. */
  private static boolean isStrict(String text) {
    return text.charAt(4) == '-'
        && text.charAt(10) == 'T'
        && text.charAt(16) == ':'
        && text.charAt(0) != '-'
        && text.charAt(0) != '+'
        && text.indexOf('z') < 0
        && digitsFrom(text, 17) == 2
        && !text.endsWith(".Z")
        && !text.contains(".+")
        && !text.contains(".-");
  }

  private static int digitsFrom(String text, int start) {
    int end = start;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end - start;
  }

  private static Instant parsed(String text, String example) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw malformed(text, example);
    }
  }

  private static IllegalArgumentException malformed(String text, String example) {
    return new IllegalArgumentException(
        "parsing time \"" + text + "\": expected a time of RFC 3339, such as " + example);
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
