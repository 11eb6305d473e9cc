package dev.berth.policy.node;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.Zone;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many of a zone's nodes are unhealthy. A node is healthy when its Ready condition is True.
 *
 * @param nodes how many nodes the zone has, at least one
 */
public record ZoneHealth(Zone zone, int nodes, int unhealthy) {
  /** Nodes with this label, whatever its value, are not counted. */
  public static final String EXCLUDED_LABEL = "node.kubernetes.io/exclude-disruption";

  public ZoneHealth {
    if (nodes < 1 || unhealthy < 0 || unhealthy > nodes) {
      throw new IllegalArgumentException(
          "A zone has at least one node and no more unhealthy nodes than nodes: "
              + unhealthy
              + " of "
              + nodes);
    }
  }

  /** The health of every zone that has a node that counts, in the order of the zones. */
  public static List<ZoneHealth> ofNodes(Collection<NodeView> nodes) {
    SortedMap<Zone, ZoneHealth> zones = new TreeMap<>();
    for (NodeView node : nodes) {
      if (counts(node)) {
        ZoneHealth one = new ZoneHealth(node.zone(), 1, node.ready() ? 0 : 1);
        zones.merge(node.zone(), one, ZoneHealth::plus);
      }
    }
    return List.copyOf(zones.values());
  }

  /** Whether a node counts in its zone. */
  public static boolean counts(NodeView node) {
    return !node.hasLabel(EXCLUDED_LABEL);
  }

  private ZoneHealth plus(ZoneHealth other) {
    return new ZoneHealth(zone, nodes + other.nodes, unhealthy + other.unhealthy);
  }
}
