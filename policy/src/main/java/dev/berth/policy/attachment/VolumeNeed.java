package dev.berth.policy.attachment;

import dev.berth.model.core.PodTree;
import dev.berth.model.tree.JsonObject;

/**
 * Whether a pod still needs its volumes: until it has finished, or is being deleted and none of its
 * containers runs. A pod that is terminating needs them, and one whose node is silent does so for
 * as long as it is there.
 */
public final class VolumeNeed {
  private VolumeNeed() {}

  /**
   * Decides about one pod.
   *
   * @param keepsTerminated whether its node wants volumes to stay until the pod is gone
   */
  public static boolean isNeeded(JsonObject pod, boolean keepsTerminated) {
    PodTree view = new PodTree(pod);
    boolean ended = view.phase().finished() || (view.terminating() && !view.hasRunningContainer());
    return keepsTerminated || !ended;
  }
}
