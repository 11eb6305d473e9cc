package dev.berth.policy.pressure;

import java.time.Duration;
import java.util.Optional;

/**
 * Below which something is scarce.
 *
 * @param grace for how long it may be before pods go; zero for a hard threshold
 * @param minimumReclaim by how much more than the value there must be before it is over
 */
public record Threshold(
    Signal signal, ThresholdValue value, Duration grace, Optional<ThresholdValue> minimumReclaim) {

  public boolean isHard() {
    return grace.isZero();
  }

  Threshold as(Signal another) {
    return new Threshold(another, value, grace, minimumReclaim);
  }
}
