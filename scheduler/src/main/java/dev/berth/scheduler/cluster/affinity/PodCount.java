package dev.berth.scheduler.cluster.affinity;

import dev.berth.scheduler.cluster.node.NodeCounts;

/** How many pods of a selection are on each node. See {@link PodCounts}. */
public final class PodCount {
  private final PodSelection selection;
  private final NodeCounts counts = new NodeCounts();

  PodCount(PodSelection selection) {
    this.selection = selection;
  }

  public PodSelection selection() {
    return selection;
  }

  public NodeCounts counts() {
    return counts;
  }
}
