package dev.berth.scheduler.plugin.node;

import dev.berth.model.core.NodeSelector;
import dev.berth.model.core.NodeSelector.FieldRequirement;
import dev.berth.scheduler.cluster.Cluster;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a selector names. The pods of a DaemonSet each name theirs: looking at all nodes
 * for each of them would cost the square of the number of nodes.
 */
final class NamedNodes {
  private NamedNodes() {}

  /** Null if a term of the selector names no node. */
  static int @Nullable [] of(NodeSelector selector, Cluster cluster) {
    List<NodeSelector.Term> terms = selector.terms();
    int[] nodes = new int[terms.size()];
    int size = 0;
    for (NodeSelector.Term term : terms) {
      String name = nameIn(term);
      if (name == null) {
        return null;
      }
      int node = cluster.indexOf(name);
      if (node >= 0) {
        nodes[size++] = node;
      }
    }
    return Arrays.stream(nodes, 0, size).distinct().toArray();
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
