package dev.berth.scheduler.plugin.spread;

import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.selector.LabelOperator;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.affinity.PodAffinity;
import java.util.ArrayList;
import java.util.List;

/**
 * How evenly the pods of a selection are to be spread over the domains of a topology.
 *
 * @param maxSkew by how many pods a domain may have more than the one that has the fewest
 * @param required whether nodes that break it are refused, or only liked less
 * @param minDomains with fewer domains than this, the fewest counts as none
 * @param honorsAffinity whether only nodes count that the pod's node selector and affinity allow
 * @param honorsTaints whether only nodes count whose taints the pod tolerates
 */
public record SpreadConstraint(
    long maxSkew,
    String topologyKey,
    boolean required,
    LabelSelector selector,
    long minDomains,
    boolean honorsAffinity,
    boolean honorsTaints) {

  boolean isByHost() {
    return topologyKey.equals(WellKnownLabels.HOSTNAME);
  }

  /** The same about other pods. */
  SpreadConstraint about(LabelSelector pods) {
    return new SpreadConstraint(
        maxSkew, topologyKey, required, pods, minDomains, honorsAffinity, honorsTaints);
  }

  /**
   * Reads the constraints of a pod, or defaults for pods.
   *
   * @param labels the pod's, of which {@code matchLabelKeys} takes values
   */
  static List<SpreadConstraint> read(JsonArray trees, JsonObject labels) {
    List<SpreadConstraint> constraints = new ArrayList<>();
    for (JsonObject tree : trees.objects()) {
      constraints.add(read(tree, labels));
    }
    return List.copyOf(constraints);
  }

  private static SpreadConstraint read(JsonObject tree, JsonObject labels) {
    LabelSelector selector;
    try {
      selector = LabelSelector.fromTree(tree.get("labelSelector"));
    } catch (SelectorException malformed) {
      selector = LabelSelector.NOTHING;
    }
    return new SpreadConstraint(
        tree.integer("maxSkew").orElse(1),
        tree.text("topologyKey", ""),
        tree.text("whenUnsatisfiable", "").equals("DoNotSchedule"),
        PodAffinity.merged(
            selector, tree.array("matchLabelKeys").texts(), LabelOperator.IN, labels),
        tree.integer("minDomains").orElse(1),
        tree.text("nodeAffinityPolicy", "Honor").equals("Honor"),
        tree.text("nodeTaintsPolicy", "Ignore").equals("Honor"));
  }
}
