package dev.berth.policy.persistentvolume;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Which claims a pod uses, and whether it keeps one that is being deleted.
 *
 * <ol>
 *   <li>A pod without a node keeps none: it will get none while its claim is going.
 *   <li>A pod with a node keeps the claims that it names as long as it is there, finished or not.
 *   <li>It keeps a claim that was made for it until its agent is done with it.
 * </ol>
 */
public final class ClaimUse {
  private ClaimUse() {}

  /**
   * A claim that a pod uses.
   *
   * @param ephemeral whether it is made for the pod and goes with it; it has the names of the pod
   *     and of the volume then
   */
  public record Use(ObjectName claim, boolean ephemeral) {}

  public static List<Use> of(JsonObject pod) {
    JsonArray volumes = pod.object("spec").array("volumes");
    if (volumes.isEmpty()) {
      return List.of();
    }
    List<Use> uses = new ArrayList<>();
    ObjectName name = ObjectName.of(pod);
    for (JsonObject volume : volumes.objects()) {
      if (volume.has("persistentVolumeClaim")) {
        String claim = volume.object("persistentVolumeClaim").text("claimName", "");
        uses.add(new Use(new ObjectName(name.namespace(), claim), false));
      } else if (volume.has("ephemeral")) {
        String claim = EphemeralClaim.name(pod, volume);
        uses.add(new Use(new ObjectName(name.namespace(), claim), true));
      }
    }
    return uses;
  }

  public static boolean hasNode(JsonObject pod) {
    return !pod.object("spec").text("nodeName", "").isEmpty();
  }

  /** Whether a pod keeps a claim that is being deleted. */
  public static boolean keeps(JsonObject pod, JsonObject claim) {
    if (!hasNode(pod)) {
      return false;
    }
    ObjectName name = ObjectName.of(claim);
    for (Use use : of(pod)) {
      if (use.claim().equals(name)
          && (!use.ephemeral() || (!isShutDown(pod) && EphemeralClaim.isOf(pod, claim)))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isShutDown(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    return metadata.isBeingDeleted() && metadata.deletionGracePeriodSeconds().orElse(1) == 0;
  }
}
