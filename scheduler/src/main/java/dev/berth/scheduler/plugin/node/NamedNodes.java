package dev.berth.scheduler.plugin.node;

import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeSelector.FieldRequirement;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a selector names. The pods of a DaemonSet each name theirs: evaluating all nodes
 * for each of them would cost the square of the number of nodes.
 */
final class NamedNodes {
  private NamedNodes() {}

  /** Null if a term of the selector names no node. */
  static @Nullable Set<String> of(NodeSelector selector) {
    Set<String> names = new LinkedHashSet<>();
    for (NodeSelector.Term term : selector.terms()) {
      String name = nameIn(term);
      if (name == null) {
        return null;
      }
      names.add(name);
    }
    return names;
  }

  /** The first of the names that a term wants; if it wants two, it matches no node anyway. */
  private static @Nullable String nameIn(NodeSelector.Term term) {
    for (FieldRequirement field : term.fields()) {
      if (field.equal() && field.field().equals(FieldRequirement.NAME)) {
        return field.value();
      }
    }
    return null;
  }
}
