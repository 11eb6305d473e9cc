package dev.berth.policy.persistentvolume;

import dev.berth.model.core.PodTree;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;

/**
 * Whether a pod keeps a claim that is being deleted.
 *
 * <ol>
 *   <li>A pod without a node keeps none: it will get none while its claim is going.
 *   <li>A pod with a node keeps the claims that it names as long as it is there, finished or not.
 *   <li>It keeps a claim that was made for it until its agent is done with it.
 * </ol>
 */
public final class ClaimUse {
  private ClaimUse() {}

  public static boolean keeps(JsonObject pod, JsonObject claim) {
    PodTree view = new PodTree(pod);
    if (!view.isBound()) {
      return false;
    }
    ObjectName name = ObjectName.of(claim);
    for (PodClaim use : PodClaim.of(pod)) {
      if (use.claim().equals(name)
          && (!use.ephemeral()
              || (!view.deletedWithoutGrace() && EphemeralClaim.isOf(pod, claim)))) {
        return true;
      }
    }
    return false;
  }

  /** Whether a pod waits for a node, and its claims with it. */
  public static boolean awaitsNode(JsonObject pod) {
    PodTree view = new PodTree(pod);
    return !view.isBound() && !view.phase().finished();
  }
}
