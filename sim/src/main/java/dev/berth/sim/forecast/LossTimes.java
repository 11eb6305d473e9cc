package dev.berth.sim.forecast;

import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.Zone;
import dev.berth.policy.node.EvictionPace;
import dev.berth.policy.node.EvictionTrace;
import dev.berth.policy.node.ZoneHealth;
import dev.berth.policy.node.ZoneRates;
import dev.berth.policy.node.ZoneTurn;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * When nodes that fall silent together are found to be lost, and when each gets the taint that
 * empties it. The rates are those of {@link ZoneRates} with all of them unhealthy: long before the
 * first is lost, the others have been silent for long enough to count.
 *
 * @param lost by node
 * @param tainted by node; a node that is not emptied is not in it
 * @param rates of all zones, from then on
 */
record LossTimes(Map<String, Instant> lost, Map<String, Instant> tainted, ZoneRates rates) {

  /**
   * Computes.
   *
   * @param nodes all nodes of the cluster
   * @param silent those that fall silent now
   * @param renewed when each node was last heard of, as its lease says
   */
  static LossTimes of(
      Collection<NodeView> nodes,
      Set<String> silent,
      Map<String, Instant> renewed,
      NodeLifecycleSettings settings,
      Instant now) {
    ZoneRates rates = ZoneRates.of(ZoneHealth.ofNodes(after(nodes, silent)), settings.zones());
    Map<String, Instant> lost = new HashMap<>();
    SortedMap<Zone, List<NodeView>> zones = new TreeMap<>();
    Map<Zone, EvictionPace> paces = new HashMap<>();
    for (NodeView node : nodes) {
      EvictionTrace.ofTaint(node)
          .ifPresent(at ->
              paces.merge(
                  node.zone(),
                  EvictionPace.FRESH.found(at, now, now),
                  (one, other) -> other.last() == null ? one : one.taken(other.last())));
      if (silent.contains(node.name())) {
        Instant heard = renewed.getOrDefault(node.name(), now);
        Instant known = heard.isAfter(now) ? now : heard;
        Instant due = known.plus(settings.health().gracePeriod());
        lost.put(node.name(), due.isBefore(now) ? now : due);
        if (EvictionTrace.ofTaint(node).isEmpty()) {
          zones.computeIfAbsent(node.zone(), _ -> new ArrayList<>()).add(node);
        }
      }
    }
    Map<String, Instant> tainted = new HashMap<>();
    zones.forEach((zone, waiting) -> {
      waiting.sort(
          Comparator.comparing((NodeView node) -> lost.getOrDefault(node.name(), now))
              .thenComparing(NodeView::name));
      EvictionPace pace = paces.getOrDefault(zone, EvictionPace.FRESH);
      for (NodeView node : waiting) {
        Optional<Instant> at =
            turn(zone, pace, rates, settings, lost.getOrDefault(node.name(), now));
        if (at.isEmpty()) {
          break;
        }
        tainted.put(node.name(), at.get());
        pace = pace.taken(at.get());
      }
    });
    return new LossTimes(lost, tainted, rates);
  }

  private static Optional<Instant> turn(
      Zone zone, EvictionPace pace, ZoneRates rates, NodeLifecycleSettings settings, Instant lost) {
    ZoneTurn.Candidate candidate = new ZoneTurn.Candidate(zone, pace, rates, settings.zones());
    return switch (ZoneTurn.of(candidate, () -> health(rates), lost)) {
      case ZoneTurn.Now _ -> Optional.of(lost);
      case ZoneTurn.Later(Instant at) -> Optional.of(at);
      case ZoneTurn.Never _ -> Optional.empty();
    };
  }

  private static List<ZoneHealth> health(ZoneRates rates) {
    return rates.rates().stream().map(rate -> rate.health()).toList();
  }

  /** The nodes, with those that are silent no longer ready. */
  private static List<NodeView> after(Collection<NodeView> nodes, Set<String> silent) {
    Set<String> names = new HashSet<>(silent);
    return nodes.stream()
        .map(node -> names.contains(node.name()) ? node.withConditions(List.of()) : node)
        .toList();
  }
}
