package dev.berth.policy.shutdown;

import dev.berth.policy.pod.PodPriority;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * How long pods get to end when their node is shut down, by ranges of priority (N13, N14). A range
 * begins at its own priority and ends below the next one's.
 *
 * @param periods from the lowest priority to the highest; none for a node that does not delay its
 *     shutdown
 */
public record ShutdownPeriods(List<Period> periods) {
  public static final ShutdownPeriods NONE = new ShutdownPeriods(List.of());

  /**
   * A range of priorities.
   *
   * @param priority its lowest
   * @param grace how long all pods of the range get together
   */
  public record Period(int priority, Duration grace) {}

  public ShutdownPeriods {
    periods = periods.stream().sorted(Comparator.comparingInt(Period::priority)).toList();
  }

  /**
   * Regular pods first, then critical ones.
   *
   * @param total what all of them get
   * @param critical what of that is kept for critical ones, if not more than all
   */
  public static ShutdownPeriods of(Duration total, Duration critical) {
    Duration regular = total.minus(critical);
    return total.isZero() || regular.isNegative()
        ? NONE
        : new ShutdownPeriods(
            List.of(
                new Period(0, Duration.ofSeconds(regular.toSeconds())),
                new Period(
                    (int) PodPriority.SYSTEM_CRITICAL, Duration.ofSeconds(critical.toSeconds()))));
  }

  public boolean isEmpty() {
    return periods.isEmpty();
  }

  /** What the whole shutdown may take. */
  public Duration total() {
    return periods.stream().map(Period::grace).reduce(Duration.ZERO, Duration::plus);
  }

  /**
   * The range that a priority is in: the last that begins at it or below; the lowest for what is
   * below all of them.
   */
  int indexOf(int priority) {
    int index = 0;
    for (int i = 1; i < periods.size(); i++) {
      if (periods.get(i).priority <= priority) {
        index = i;
      }
    }
    return index;
  }
}
