package dev.berth.policy.autoscale;

import dev.berth.model.autoscaling.AutoscalerBehavior;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** By how much an autoscaler has changed its target lately, in each direction. */
public record ScaleChanges(List<Change> up, List<Change> down) {
  static final ScaleChanges NONE = new ScaleChanges(List.of(), List.of());

  /**
   * One of them.
   *
   * @param replicas how many more or fewer
   */
  public record Change(int replicas, Instant time) {}

  public ScaleChanges {
    up = List.copyOf(up);
    down = List.copyOf(down);
  }

  /** With one more, and without those that matter to no policy. */
  ScaleChanges with(int from, int to, AutoscalerBehavior behavior, Instant now) {
    Change change = new Change(Math.abs(to - from), now);
    return to > from
        ? new ScaleChanges(with(up, change, behavior.scaleUp().longestPeriod()), down)
        : new ScaleChanges(up, with(down, change, behavior.scaleDown().longestPeriod()));
  }

  private static List<Change> with(List<Change> changes, Change change, Duration longest) {
    List<Change> kept = new ArrayList<>();
    for (Change each : changes) {
      if (!each.time.isBefore(change.time.minus(longest))) {
        kept.add(each);
      }
    }
    kept.add(change);
    return kept;
  }

  /** How many replicas there were when a period began, going by what was changed since. */
  int atStartOf(Duration period, int current, Instant now) {
    return current - sum(up, period, now) + sum(down, period, now);
  }

  private static int sum(List<Change> changes, Duration period, Instant now) {
    int sum = 0;
    for (Change each : changes) {
      if (each.time.isAfter(now.minus(period))) {
        sum += each.replicas;
      }
    }
    return sum;
  }
}
