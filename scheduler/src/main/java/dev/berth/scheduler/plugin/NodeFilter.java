package dev.berth.scheduler.plugin;

import dev.berth.scheduler.cluster.PodInfo;
import org.jspecify.annotations.Nullable;

/** A plugin's answers for one pod. Quick: asked for every node. */
public interface NodeFilter {
  boolean allows(int node);

  /** Why a node is not allowed; asked only for those that are not, and only to tell somebody. */
  Refusal refusal(int node);

  /**
   * The only nodes that this filter may allow, if it knows them without looking at all, as for a
   * pod that names its node; null if it does not.
   */
  default int @Nullable [] candidates() {
    return null;
  }

  /**
   * A pod was taken off a node of the cluster since this filter was made, to see what that would
   * help. A filter that reads the cluster's columns when asked has nothing to do.
   */
  default void removed(PodInfo pod, int node) {}

  /** A pod was put on a node of the cluster since this filter was made; see {@link #removed}. */
  default void added(PodInfo pod, int node) {}
}
