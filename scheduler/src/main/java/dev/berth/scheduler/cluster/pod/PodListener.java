package dev.berth.scheduler.cluster.pod;

/**
 * Keeps count of the pods on nodes. It is called when a pod is added to or removed from a node, and
 * for all of a node's pods when the node is. A node's labels may not be known yet then, so that
 * whatever depends on them is looked up later.
 */
public interface PodListener {
  void added(PodInfo pod, int node);

  /** The pod is the very one that {@link #added} was called with. */
  void removed(PodInfo pod, int node);

  /** The labels of a namespace are others now. */
  default void namespaceChanged(String name) {}
}
