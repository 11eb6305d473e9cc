package dev.berth.cel.library;

import dev.berth.cel.value.CelException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/** Timestamps as RFC 3339 writes them. */
public final class Timestamps {
  private static final long FIRST_SECOND = -62135596800L;
  private static final long LAST_SECOND = 253402300799L;

  private Timestamps() {}

  /** Reads a timestamp; fails with a message like Go's if it is none. */
  public static Instant parse(String text) {
    try {
      Instant instant =
          OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME).toInstant();
      return checked(instant);
    } catch (DateTimeException e) {
      throw new CelException(
          "parsing time "
              + GoNumbers.quote(text)
              + " as \"2006-01-02T15:04:05Z07:00\": cannot parse "
              + GoNumbers.quote(text)
              + " as \"2006\"");
    }
  }

  /** The same of a field, which may also hold a day alone. */
  public static Instant parseField(String text) {
    if (text.length() == "2006-01-02".length()) {
      try {
        return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
      } catch (DateTimeException _) {
        // No day, and so no timestamp, which the message says.
      }
    }
    return parse(text);
  }

  public static Instant ofSeconds(long seconds) {
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND) {
      throw new CelException("timestamp overflow");
    }
    return Instant.ofEpochSecond(seconds);
  }

  private static Instant checked(Instant instant) {
    ofSeconds(instant.getEpochSecond());
    return instant;
  }

  public static String print(Instant instant) {
    String whole =
        DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(
            instant.truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC));
    if (whole.length() == "2006-01-02T15:04".length()) {
      whole += ":00";
    }
    int nanos = instant.get(ChronoField.NANO_OF_SECOND);
    if (nanos != 0) {
      whole += ("." + "%09d".formatted(nanos)).replaceAll("0+$", "");
    }
    return whole + "Z";
  }
}
