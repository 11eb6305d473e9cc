package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.PodInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node on which to try what it would be like without some of its pods. */
interface NodeTrial {
  void take(PodInfo pod);

  void giveBack(PodInfo pod);

  /** Why the pod that wants to come has no place; null if it has. */
  @Nullable List<String> refusal();

  default boolean fits() {
    return refusal() == null;
  }
}
