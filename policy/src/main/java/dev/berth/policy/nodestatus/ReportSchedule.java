package dev.berth.policy.nodestatus;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When a node reports a status that has not changed: at its report frequency. The first such report
 * after a change comes up to half a period earlier or later, by chance, so that the nodes of a
 * cluster that changed together do not report together for ever.
 *
 * @param last when it was last reported, on a clock that nobody sets; empty before the first time
 * @param shift how much later than the frequency the next one is due
 */
public record ReportSchedule(Duration frequency, Optional<Instant> last, Duration shift) {

  public static ReportSchedule every(Duration frequency) {
    return new ReportSchedule(frequency, Optional.empty(), Duration.ZERO);
  }

  public boolean isDue(Instant now) {
    return last.isEmpty() || !now.isBefore(last.get().plus(frequency).plus(shift));
  }

  /**
   * After a report.
   *
   * @param changed whether it was made because something had changed
   * @param random from 0 to 1
   */
  public ReportSchedule reported(boolean changed, double random, Instant now) {
    Duration next =
        changed || last.isEmpty()
            ? Duration.ofNanos((long) (frequency.toNanos() * (random - 0.5)))
            : Duration.ZERO;
    return new ReportSchedule(frequency, Optional.of(now), next);
  }
}
