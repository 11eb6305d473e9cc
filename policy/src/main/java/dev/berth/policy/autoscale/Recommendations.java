package dev.berth.policy.autoscale;

import dev.berth.model.autoscaling.AutoscalerBehavior;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many replicas the metrics of an autoscaler asked for lately, before anything limited that.
 * They hold up what is recommended now, so that replicas do not come and go with each wave.
 */
public record Recommendations(List<Recommendation> all) {
  static final Recommendations NONE = new Recommendations(List.of());

  /** One of them. */
  public record Recommendation(int replicas, Instant time) {}

  public Recommendations {
    all = List.copyOf(all);
  }

  /** How long they count in each direction. */
  record Windows(Duration up, Duration down) {
    static Windows of(@Nullable AutoscalerBehavior behavior, Duration standard) {
      if (behavior == null) {
        return new Windows(Duration.ZERO, standard);
      }
      Duration up = behavior.scaleUp().stabilizationWindow();
      Duration down = behavior.scaleDown().stabilizationWindow();
      return new Windows(up == null ? Duration.ZERO : up, down == null ? standard : down);
    }
  }

  /** What holds up a recommendation, in upstream's words. */
  record Stabilized(int replicas, String reason, String message) {
    private static Stabilized up(int replicas) {
      return new Stabilized(
          replicas,
          "ScaleUpStabilized",
          "recent recommendations were lower than current one, applying the lowest recent"
              + " recommendation");
    }

    private static Stabilized down(int replicas) {
      return new Stabilized(
          replicas,
          "ScaleDownStabilized",
          "recent recommendations were higher than current one, applying the highest recent"
              + " recommendation");
    }
  }

  /** Those of an autoscaler whose target is seen for the first time. */
  Recommendations begunWith(int replicas, Instant now) {
    return all.isEmpty() ? new Recommendations(List.of(new Recommendation(replicas, now))) : this;
  }

  /** With one more, and without those that count no longer. */
  Recommendations with(int replicas, Windows windows, Instant now) {
    Duration longest = windows.up.compareTo(windows.down) > 0 ? windows.up : windows.down;
    List<Recommendation> kept = new ArrayList<>();
    for (Recommendation each : all) {
      if (!each.time.isBefore(now.minus(longest))) {
        kept.add(each);
      }
    }
    kept.add(new Recommendation(replicas, now));
    return new Recommendations(kept);
  }

  /** The highest one that counts, if nothing is said of how fast it may go. */
  Stabilized highest(int recommended, Duration window, Instant now) {
    int highest = recommended;
    for (Recommendation each : all) {
      if (!each.time.isBefore(now.minus(window))) {
        highest = Math.max(highest, each.replicas);
      }
    }
    return Stabilized.down(highest);
  }

  /**
   * As near to the current number as it may be: not below the lowest of those that count for
   * growing, nor above the highest of those that count for shrinking.
   */
  Stabilized within(int current, int recommended, Windows windows, Instant now) {
    int lowest = recommended;
    int highest = recommended;
    for (Recommendation each : all) {
      if (each.time.isAfter(now.minus(windows.up))) {
        lowest = Math.min(lowest, each.replicas);
      }
      if (each.time.isAfter(now.minus(windows.down))) {
        highest = Math.max(highest, each.replicas);
      }
    }
    int replicas = Math.min(Math.max(current, lowest), highest);
    return recommended >= current ? Stabilized.up(replicas) : Stabilized.down(replicas);
  }
}
