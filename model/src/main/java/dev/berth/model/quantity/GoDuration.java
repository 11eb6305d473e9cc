package dev.berth.model.quantity;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as flags and configuration files write them: {@code 15s}, {@code 1m30s}, {@code 1.5h}.
 */
public final class GoDuration {
  private static final Pattern WHOLE = Pattern.compile("(?:[0-9]+(?:\\.[0-9]+)?(?:ms|[hms]))+");
  private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|[hms])");
  private static final Map<String, Long> MILLIS =
      Map.of("h", 3_600_000L, "m", 60_000L, "s", 1000L, "ms", 1L);
  private static final int LONGEST = 40;

  private GoDuration() {}

  /** The duration, or null if the text is none. */
  public static @Nullable Duration parse(String text) {
    if (text.length() > LONGEST || !WHOLE.matcher(text).matches()) {
      return null;
    }
    BigDecimal millis = BigDecimal.ZERO;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      BigDecimal unit = BigDecimal.valueOf(MILLIS.getOrDefault(part.group(2), 0L));
      millis = millis.add(new BigDecimal(part.group(1)).multiply(unit));
    }
    return millis.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
        ? null
        : Duration.ofMillis(millis.longValue());
  }

  /** As Go writes it, to the millisecond: {@code 250ms}, {@code 1.5s}, {@code 2m0.001s}. */
  public static String text(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    if (millis == 0) {
      return "0s";
    }
    if (millis < 1000) {
      return millis + "ms";
    }
    String seconds =
        BigDecimal.valueOf(millis % 60_000, 3).stripTrailingZeros().toPlainString() + "s";
    long minutes = millis / 60_000;
    if (minutes == 0) {
      return seconds;
    }
    return minutes < 60
        ? minutes + "m" + seconds
        : "%dh%dm%s".formatted(minutes / 60, minutes % 60, seconds);
  }
}
