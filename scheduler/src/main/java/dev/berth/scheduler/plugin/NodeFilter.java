package dev.berth.scheduler.plugin;

import dev.berth.scheduler.cluster.pod.PodInfo;

/** A plugin's answers for one pod. Quick: asked for every node. */
public interface NodeFilter {
  boolean allows(int node);

  /** Why a node is not allowed; called only for nodes that are not. */
  Refusal refusal(int node);

  /** What of the pods on a node its answer for that node depends on. */
  enum PodInfluence {
    /** Nothing: preemption changes nothing. */
    NONE,
    /** The sums of what they request: preemption can calculate what removing a pod changes. */
    REQUESTS,
    /** Anything: preemption has to remove pods in a dry run, and to ask again. */
    ANY
  }

  default PodInfluence podInfluence() {
    return PodInfluence.ANY;
  }

  /**
   * A pod was taken off a node of the cluster since this filter was made, to see what that would
   * help. A filter that reads the cluster's columns when asked has nothing to do. Upstream's
   * PreFilterExtensions.RemovePod.
   */
  default void removed(PodInfo pod, int node) {}

  /** A pod was put on a node of the cluster since this filter was made; see {@link #removed}. */
  default void added(PodInfo pod, int node) {}
}
