package dev.berth.cel.library;

import dev.berth.cel.value.CelException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;

/** Durations as Go writes them: {@code 1h30m}, {@code 1.5s}, {@code -20ms}. */
public final class GoDurations {
  private static final Map<String, Long> UNITS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private GoDurations() {}

  /** Reads a duration; fails with Go's message if it is none. */
  public static Duration parse(String text) {
    String rest = text;
    boolean negative = rest.startsWith("-");
    if (negative || rest.startsWith("+")) {
      rest = rest.substring(1);
    }
    if (rest.equals("0")) {
      return Duration.ZERO;
    }
    if (rest.isEmpty()) {
      throw invalid(text);
    }
    BigDecimal nanos = BigDecimal.ZERO;
    while (!rest.isEmpty()) {
      int end = 0;
      while (end < rest.length() && isNumber(rest.charAt(end))) {
        end++;
      }
      String number = rest.substring(0, end);
      if (number.isEmpty()
          || number.equals(".")
          || number.indexOf('.') != number.lastIndexOf('.')) {
        throw invalid(text);
      }
      int unitEnd = end;
      while (unitEnd < rest.length() && !isNumber(rest.charAt(unitEnd))) {
        unitEnd++;
      }
      String unit = rest.substring(end, unitEnd);
      if (unit.isEmpty()) {
        throw new CelException("time: missing unit in duration " + GoNumbers.quote(text));
      }
      Long factor = UNITS.get(unit);
      if (factor == null) {
        throw new CelException(
            "time: unknown unit "
                + GoNumbers.quote(unit)
                + " in duration "
                + GoNumbers.quote(text));
      }
      String digits =
          (number.startsWith(".") ? "0" : "") + number + (number.endsWith(".") ? "0" : "");
      nanos = nanos.add(new BigDecimal(digits).multiply(BigDecimal.valueOf(factor)));
      rest = rest.substring(unitEnd);
    }
    try {
      long whole = nanos.toBigInteger().longValueExact();
      return Duration.ofNanos(negative ? -whole : whole);
    } catch (ArithmeticException e) {
      throw invalid(text);
    }
  }

  private static CelException invalid(String text) {
    return new CelException("time: invalid duration " + GoNumbers.quote(text));
  }

  private static boolean isNumber(char c) {
    return (c >= '0' && c <= '9') || c == '.';
  }

  /** As {@code string()} has it: seconds, such as {@code 1.5s}. */
  public static String seconds(Duration duration) {
    BigDecimal seconds = BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros();
    return seconds.toPlainString() + "s";
  }
}
