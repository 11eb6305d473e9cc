package dev.berth.policy.daemon;

import dev.berth.model.core.DaemonSetView;
import dev.berth.model.core.IntOrPercent;
import java.time.Duration;

/**
 * How a DaemonSet replaces the pods of older templates.
 *
 * @param rolling whether it does so by itself; otherwise pods are replaced when somebody deletes
 *     them
 * @param maxUnavailable on how many nodes there may be no available pod because of that
 * @param maxSurge on how many nodes the new pod may come before the old one goes
 * @param minReady how long a pod must have been ready to count as available
 */
public record DaemonStrategy(
    boolean rolling, IntOrPercent maxUnavailable, IntOrPercent maxSurge, Duration minReady) {

  public static DaemonStrategy of(DaemonSetView set) {
    return new DaemonStrategy(
        !set.isOnDelete(), set.maxUnavailable(), set.maxSurge(), set.minReady());
  }

  /** Whether a node may have an old pod and a new one at once. */
  public boolean surges() {
    return rolling && of(maxSurge, 1, 0) > 0;
  }

  /**
   * How many more nodes may be updated now.
   *
   * @param counts of all nodes. If the strategy allows nothing at all, one node at a time is
   *     updated, as upstream has it
   */
  public int room(DaemonCounts counts) {
    if (!rolling) {
      return 0;
    }
    if (surges()) {
      return Math.max(0, of(maxSurge, counts.desired(), 0) - counts.surging());
    }
    int allowed = Math.max(1, of(maxUnavailable, counts.desired(), 1));
    return Math.max(0, allowed - counts.unavailable());
  }

  /**
   * How many more available pods may go after which no new one is made, while it surges.
   *
   * @param counts of all nodes. Whoever surges wants as many available pods as there are nodes that
   *     should have one, wherever they are
   */
  public int roomToShrink(DaemonCounts counts) {
    return Math.max(0, counts.available() + counts.spare() - counts.desired());
  }

  /** Percentages are rounded up. */
  private static int of(IntOrPercent value, int total, int otherwise) {
    return switch (value) {
      case IntOrPercent.Count(long count) -> Math.toIntExact(Math.min(count, Integer.MAX_VALUE));
      case IntOrPercent.Percent(long percent) ->
          Math.toIntExact(Math.ceilDiv(Math.min(percent, 100L) * total, 100L));
      case IntOrPercent.Malformed _ -> otherwise;
    };
  }
}
