package dev.berth.kinds.column;

import dev.berth.model.meta.Times;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times told as people tell them: two digits or so that matter, the rest left out. */
public final class Ages {
  public static final String UNKNOWN = "<unknown>";

  private Ages() {}

  /** How long ago a time of an object was. */
  public static String since(@Nullable String time, Instant now) {
    return time == null ? UNKNOWN : of(Duration.between(Times.parse(time), now));
  }

  /**
   * A duration in the units that fit it: {@code 119s}, {@code 5m30s}, {@code 3h}, {@code 7d12h}.
   */
  public static String of(Duration duration) {
    // Clocks differ by a little; by more, something is wrong, and is shown to be.
    if (duration.toSeconds() < -1) {
      return "<invalid>";
    }
    long seconds = Math.max(0, duration.toSeconds());
    long minutes = seconds / 60;
    long hours = minutes / 60;
    long days = hours / 24;
    if (seconds < 120) {
      return seconds + "s";
    }
    if (minutes < 10) {
      return pair(minutes, "m", seconds % 60, "s");
    }
    if (minutes < 180) {
      return minutes + "m";
    }
    if (hours < 8) {
      return pair(hours, "h", minutes % 60, "m");
    }
    if (hours < 48) {
      return hours + "h";
    }
    if (days < 8) {
      return pair(days, "d", hours % 24, "h");
    }
    if (days < 2 * 365) {
      return days + "d";
    }
    return days < 8 * 365 ? pair(days / 365, "y", days % 365, "d") : days / 365 + "y";
  }

  private static String pair(long large, String largeUnit, long small, String smallUnit) {
    return large + largeUnit + (small == 0 ? "" : small + smallUnit);
  }
}
