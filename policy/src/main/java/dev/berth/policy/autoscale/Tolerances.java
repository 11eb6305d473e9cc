package dev.berth.policy.autoscale;

import dev.berth.model.autoscaling.AutoscalerBehavior;
import org.jspecify.annotations.Nullable;

/** Which deviations of a metric from its target are ignored, as shares of 1. */
public record Tolerances(double scaleDown, double scaleUp) {

  /** An autoscaler's own, and the standard one where it has none. */
  static Tolerances of(@Nullable AutoscalerBehavior behavior, double standard) {
    if (behavior == null) {
      return new Tolerances(standard, standard);
    }
    Double down = behavior.scaleDown().tolerance();
    Double up = behavior.scaleUp().tolerance();
    return new Tolerances(down == null ? standard : down, up == null ? standard : up);
  }

  /** Whether a ratio of what is used to what should be is as good as 1. */
  boolean isWithin(double ratio) {
    return 1 - scaleDown <= ratio && ratio <= 1 + scaleUp;
  }
}
