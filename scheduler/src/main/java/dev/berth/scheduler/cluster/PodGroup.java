package dev.berth.scheduler.cluster;

/** How many pods of a selection are on each node. See {@link PodGroups}. */
public final class PodGroup {
  private final PodSelection selection;
  private final NodeCounts counts = new NodeCounts();

  PodGroup(PodSelection selection) {
    this.selection = selection;
  }

  public PodSelection selection() {
    return selection;
  }

  public NodeCounts counts() {
    return counts;
  }
}
