package dev.berth.policy.autoscale;

import dev.berth.model.autoscaling.AutoscalerBehavior;
import dev.berth.model.autoscaling.AutoscalerBehavior.Policy;
import dev.berth.model.autoscaling.AutoscalerBehavior.Rules;
import java.time.Instant;

/**
 * How many replicas there may be, and what keeps them from being as many as are wanted: the bounds
 * of the autoscaler, or how fast it may go.
 *
 * @param reason in one word
 * @param message for people
 */
record ReplicaLimit(int replicas, String reason, String message) {
  private static final int FACTOR = 2;
  private static final int ALWAYS_ALLOWED = 4;
  private static final double WHOLE = 100;

  private static ReplicaLimit none(int desired) {
    return new ReplicaLimit(
        desired, "DesiredWithinRange", "the desired count is within the acceptable range");
  }

  private static ReplicaLimit tooFew(int min) {
    return new ReplicaLimit(
        min, "TooFewReplicas", "the desired replica count is less than the minimum replica count");
  }

  private static ReplicaLimit tooMany(int max) {
    return new ReplicaLimit(
        max, "TooManyReplicas", "the desired replica count is more than the maximum replica count");
  }

  private static ReplicaLimit tooFastUp(int most) {
    return new ReplicaLimit(
        most,
        "ScaleUpLimit",
        "the desired replica count is increasing faster than the maximum scale rate");
  }

  private static ReplicaLimit tooFastDown(int least) {
    return new ReplicaLimit(
        least,
        "ScaleDownLimit",
        "the desired replica count is decreasing faster than the maximum scale rate");
  }

  /** If nothing is said of how fast: twice as many at a time, or four. */
  static ReplicaLimit standard(int current, int desired, int min, int max) {
    int most = (int) Math.max((double) FACTOR * current, ALWAYS_ALLOWED);
    if (desired < min) {
      return tooFew(min);
    }
    if (desired > Math.min(most, max)) {
      return max > most ? tooFastUp(most) : tooMany(max);
    }
    return none(desired);
  }

  /** By the policies of an autoscaler. */
  static ReplicaLimit of(
      int current,
      int desired,
      int min,
      int max,
      AutoscalerBehavior behavior,
      ScaleChanges changes,
      Instant now) {
    if (desired > current) {
      int most = Math.max(current, most(behavior.scaleUp(), current, changes, now));
      if (desired > Math.min(most, max)) {
        return max > most ? tooFastUp(most) : tooMany(max);
      }
    } else if (desired < current) {
      int least = Math.min(current, least(behavior.scaleDown(), current, changes, now));
      if (desired < Math.max(least, min)) {
        return min < least ? tooFastDown(least) : tooFew(min);
      }
    }
    return none(desired);
  }

  private static int most(Rules rules, int current, ScaleChanges changes, Instant now) {
    return switch (rules.select()) {
      case DISABLED -> current;
      case MIN ->
          rules.policies().stream()
              .mapToInt(policy -> increased(policy, current, changes, now))
              .min()
              .orElse(Integer.MAX_VALUE);
      case MAX ->
          rules.policies().stream()
              .mapToInt(policy -> increased(policy, current, changes, now))
              .max()
              .orElse(Integer.MIN_VALUE);
    };
  }

  /** Rounded up, or a small number would never grow. */
  private static int increased(Policy policy, int current, ScaleChanges changes, Instant now) {
    int start = changes.atStartOf(policy.period(), current, now);
    return policy.isPercent()
        ? (int) Math.ceil(start * (1 + policy.value() / WHOLE))
        : (int) Math.min(Integer.MAX_VALUE, (long) start + policy.value());
  }

  private static int least(Rules rules, int current, ScaleChanges changes, Instant now) {
    return switch (rules.select()) {
      case DISABLED -> current;
      case MIN ->
          rules.policies().stream()
              .mapToInt(policy -> decreased(policy, current, changes, now))
              .max()
              .orElse(Integer.MIN_VALUE);
      case MAX ->
          rules.policies().stream()
              .mapToInt(policy -> decreased(policy, current, changes, now))
              .min()
              .orElse(Integer.MAX_VALUE);
    };
  }

  private static int decreased(Policy policy, int current, ScaleChanges changes, Instant now) {
    int start = changes.atStartOf(policy.period(), current, now);
    return policy.isPercent()
        ? (int) (start * (1 - policy.value() / WHOLE))
        : start - policy.value();
  }
}
