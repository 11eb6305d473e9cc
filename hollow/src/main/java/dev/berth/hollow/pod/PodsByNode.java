package dev.berth.hollow.pod;

import dev.berth.hollow.node.HollowNode;
import java.util.HashMap;
import java.util.Map;

/** The pods of each node. Belongs to the loop of the hollow nodes. */
public final class PodsByNode {
  private final Map<HollowNode, NodePods> byNode = new HashMap<>();

  public NodePods of(HollowNode node) {
    return byNode.computeIfAbsent(node, NodePods::new);
  }
}
