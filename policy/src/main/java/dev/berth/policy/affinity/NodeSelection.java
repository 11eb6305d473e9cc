package dev.berth.policy.affinity;

import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeSelector.Requirement;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes a pod's node selector and node affinity allow and prefer.
 *
 * <ul>
 *   <li>A node selector matches when one of its terms does; a term, when all of its requirements
 *       are met. A term without requirements matches no node.
 *   <li>On labels: {@code In}, {@code NotIn} (also met by a node without the label), {@code
 *       Exists}, {@code DoesNotExist}, {@code Gt} and {@code Lt}. The last two compare the label,
 *       which must be an integer, with the one value, which must be one too.
 *   <li>On fields: {@code In} and {@code NotIn} with one value, on {@code metadata.name} only.
 *   <li>A term with a malformed requirement (an unknown operator or field, too many values or too
 *       few) matches no node, as nobody can say which nodes were meant; other terms still count.
 * </ul>
 */
public final class NodeSelection {
  /** The only field of a node that selectors may name. */
  public static final String NAME_FIELD = "metadata.name";

  private NodeSelection() {}

  /** Whether a pod may be on a node, by its node selector and its required node affinity. */
  public static boolean allows(PodSpecView pod, NodeView node) {
    NodeAffinity affinity = pod.nodeAffinity();
    return hasLabels(node, pod.nodeSelector())
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

  private static boolean hasLabels(NodeView node, JsonObject wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      if (!wanted.value(i).equals(node.labels().get(wanted.name(i)))) {
        return false;
      }
    }
    return true;
  }

  private static boolean matches(NodeSelector.Term term, NodeView node) {
    return !(term.matchExpressions().isEmpty() && term.matchFields().isEmpty())
        && term.matchExpressions().stream().allMatch(r -> isMet(r, node.labels().text(r.key())))
        && term.matchFields().stream().allMatch(r -> isMetByField(r, node));
  }

  private static boolean isMet(Requirement requirement, @Nullable String label) {
    List<String> values = requirement.values();
    return switch (requirement.operator()) {
      case IN -> label != null && values.contains(label);
      case NOT_IN -> !values.isEmpty() && (label == null || !values.contains(label));
      case EXISTS -> values.isEmpty() && label != null;
      case DOES_NOT_EXIST -> values.isEmpty() && label == null;
      case GT -> compare(label, values) > 0;
      case LT -> compare(label, values) < 0;
      case UNKNOWN -> false;
    };
  }

  private static boolean isMetByField(Requirement requirement, NodeView node) {
    if (!requirement.key().equals(NAME_FIELD) || requirement.values().size() != 1) {
      return false;
    }
    boolean named = requirement.values().getFirst().equals(node.name());
    return switch (requirement.operator()) {
      case IN -> named;
      case NOT_IN -> !named;
      case EXISTS, DOES_NOT_EXIST, GT, LT, UNKNOWN -> false;
    };
  }

  /** How a label compares with a requirement's one value; 0 if they cannot be compared. */
  private static int compare(@Nullable String label, List<String> values) {
    if (label == null || values.size() != 1) {
      return 0;
    }
    OptionalLong found = integer(label);
    OptionalLong wanted = integer(values.getFirst());
    return found.isPresent() && wanted.isPresent()
        ? Long.compare(found.getAsLong(), wanted.getAsLong())
        : 0;
  }

  private static OptionalLong integer(String text) {
    try {
      return OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
