package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.Refusal;
import org.jspecify.annotations.Nullable;

/** A node on which to try whether a pod could be there without some of the node's pods. */
interface NodeTrial {
  /** Removes a pod of the node. */
  void remove(PodInfo pod);

  /** Adds back a pod that was removed. */
  void add(PodInfo pod);

  /** Why the pod still cannot be there; null if it can. */
  @Nullable Refusal refusal();

  default boolean fits() {
    return refusal() == null;
  }
}
