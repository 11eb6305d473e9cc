package dev.berth.sim.explain;

import dev.berth.model.core.NodeAffinity;
import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeView;
import dev.berth.model.selector.LabelRequirement;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which labels a node lacks to be one that a pod selects. */
final class WantedLabels {
  private WantedLabels() {}

  /** The fewest changes found; none if labels cannot help. */
  static List<Change.LabelNode> missing(
      NodeView node, JsonObject selector, @Nullable NodeAffinity affinity) {
    List<Change.LabelNode> changes = new ArrayList<>();
    selector.forEach((key, value) -> {
      if (!value.equals(node.labels().get(key))) {
        changes.add(new Change.LabelNode(node.name(), key, value.toString()));
      }
    });
    if (affinity == null || affinity.required() == null) {
      return changes;
    }
    List<Change.LabelNode> fewest = null;
    for (NodeSelector.Term term : affinity.required().terms()) {
      Optional<List<Change.LabelNode>> those = of(node, term);
      if (those.isPresent() && (fewest == null || those.get().size() < fewest.size())) {
        fewest = those.get();
      }
    }
    if (fewest == null) {
      return List.of();
    }
    fewest.stream()
        .filter(change -> changes.stream().noneMatch(known -> known.key().equals(change.key())))
        .forEach(changes::add);
    return changes;
  }

  private static Optional<List<Change.LabelNode>> of(NodeView node, NodeSelector.Term term) {
    if (term.labels().selectsNothing()
        || !term.fields().stream()
            .allMatch(field -> field.value().equals(node.name()) == field.equal())) {
      return Optional.empty();
    }
    List<Change.LabelNode> changes = new ArrayList<>();
    for (LabelRequirement requirement : term.labels().requirements()) {
      if (!LabelSelector.of(List.of(requirement)).matches(node.labels())) {
        changes.add(new Change.LabelNode(node.name(), requirement.key(), value(requirement)));
      }
    }
    return Optional.of(changes);
  }

  /** A value that meets a requirement; null for no label at all. */
  private static @Nullable String value(LabelRequirement requirement) {
    return switch (requirement.operator()) {
      case IN, EQUALS, DOUBLE_EQUALS -> requirement.values().getFirst();
      case EXISTS -> "true";
      case NOT_IN, NOT_EQUALS, DOES_NOT_EXIST -> null;
      case GREATER_THAN -> next(requirement, 1);
      case LESS_THAN -> next(requirement, -1);
    };
  }

  private static String next(LabelRequirement requirement, long by) {
    return Long.toString(Long.parseLong(requirement.values().getFirst()) + by);
  }
}
