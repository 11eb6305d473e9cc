package dev.berth.policy.affinity;

import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeSelector.FieldRequirement;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodSpecView;

/**
 * Which nodes a pod's node selector and node affinity allow and prefer.
 *
 * <ul>
 *   <li>A node selector matches when one of its terms does; a term, when all of its requirements
 *       are met. A term without requirements, or with a malformed one, matches no node.
 *   <li>On labels: {@code In}, {@code NotIn} (also met by a node without the label), {@code
 *       Exists}, {@code DoesNotExist}, {@code Gt} and {@code Lt}. The last two compare the label,
 *       which must be an integer, with the one value, which must be one too.
 *   <li>On fields: {@code In} and {@code NotIn} with one value, on {@code metadata.name}. No other
 *       field can be named, so a requirement on one is met by no node.
 * </ul>
 */
public final class NodeSelection {
  private NodeSelection() {}

  /** Whether a pod may be on a node, by its node selector and its required node affinity. */
  public static boolean allows(PodSpecView pod, NodeView node) {
    NodeAffinity affinity = pod.nodeAffinity();
    return node.hasLabels(pod.nodeSelector())
        && (affinity == null || affinity.required() == null || matches(affinity.required(), node));
  }

  /** How much a pod would like to be on a node: the weights of the preferences it meets. */
  public static long preference(PodSpecView pod, NodeView node) {
    NodeAffinity affinity = pod.nodeAffinity();
    return affinity == null
        ? 0
        : affinity.preferred().stream()
            .filter(p -> matches(p.term(), node))
            .mapToLong(NodeAffinity.Preference::weight)
            .sum();
  }

  public static boolean matches(NodeSelector selector, NodeView node) {
    return selector.terms().stream().anyMatch(term -> matches(term, node));
  }

  private static boolean matches(NodeSelector.Term term, NodeView node) {
    return term.labels().matches(node.labels())
        && term.fields().stream().allMatch(field -> isMet(field, node));
  }

  private static boolean isMet(FieldRequirement requirement, NodeView node) {
    return requirement.field().equals(FieldRequirement.NAME)
        && requirement.value().equals(node.name()) == requirement.equal();
  }
}
