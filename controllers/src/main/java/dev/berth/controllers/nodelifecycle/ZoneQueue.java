package dev.berth.controllers.nodelifecycle;

import dev.berth.model.core.Zone;
import dev.berth.policy.node.EvictionPace;
import dev.berth.policy.node.ZoneHealth;
import dev.berth.policy.node.ZoneRate;
import dev.berth.time.Loop;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One zone: its nodes, how many of them are unhealthy, and those that wait to be emptied. */
final class ZoneQueue {
  final Zone zone;
  final Set<NodeRecord> members = new LinkedHashSet<>();

  /** Those that have waited longest first. */
  final Set<NodeRecord> waiting = new LinkedHashSet<>();

  EvictionPace pace = EvictionPace.FRESH;

  /** The rate that was last decided; null before the first time. */
  @Nullable ZoneRate rate;

  /** Whether a node is being tainted; the next one has to wait until it is known whether it was. */
  boolean tainting;

  /** Runs the queue when the pace permits. */
  Loop.@Nullable Timer timer;

  /** Whether all that wait had other writes under way when it was somebody's turn. */
  boolean heldUp;

  private int counted;
  private int unhealthy;

  ZoneQueue(Zone zone) {
    this.zone = zone;
  }

  void add(NodeRecord node) {
    members.add(node);
    count(node, 1);
  }

  void remove(NodeRecord node) {
    members.remove(node);
    waiting.remove(node);
    count(node, -1);
  }

  /** Takes a node's share of the figures, or gives it back. */
  private void count(NodeRecord node, int one) {
    if (node.counted) {
      counted += one;
      unhealthy += node.unhealthy ? one : 0;
    }
  }

  /** Empty if none of its nodes counts. */
  Optional<ZoneHealth> health() {
    return counted == 0 ? Optional.empty() : Optional.of(new ZoneHealth(zone, counted, unhealthy));
  }

  /** The same, if further nodes were unhealthy. */
  Optional<ZoneHealth> health(Predicate<NodeRecord> alsoUnhealthy) {
    int more = 0;
    for (NodeRecord node : members) {
      if (node.counted && !node.unhealthy && alsoUnhealthy.test(node)) {
        more++;
      }
    }
    int all = unhealthy + more;
    return health().map(h -> new ZoneHealth(zone, h.nodes(), all));
  }

  /** The node whose events tell of the zone: the first unhealthy one by name, or else the first. */
  Optional<NodeRecord> spokesman() {
    return members.stream()
        .filter(n -> n.counted)
        .min(Comparator.comparing((NodeRecord n) -> !n.unhealthy).thenComparing(n -> n.name));
  }

  void cancelTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
