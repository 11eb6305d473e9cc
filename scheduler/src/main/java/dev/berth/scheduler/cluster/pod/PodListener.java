package dev.berth.scheduler.cluster.pod;

/**
 * Something that keeps count of the pods on nodes. It is told of pods on nodes that are there: when
 * a pod comes or goes, and of all of a node's pods when the node does. A node's labels may not be
 * known yet when it is told of its pods, so whatever depends on them is looked up later.
 */
public interface PodListener {
  void added(PodInfo pod, int node);

  /** The pod is the very one that {@link #added} was called with. */
  void removed(PodInfo pod, int node);

  /** The labels of a namespace are others now. */
  default void namespaceChanged(String name) {}
}
