package dev.berth.policy.attachment;

import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A claim that a pod uses.
 *
 * @param owner the uid of the pod that the claim must belong to, since it was made for it; empty if
 *     it is anybody's
 */
public record ClaimVolume(ObjectName claim, String owner) {

  /** The claims of a pod, in the order of its volumes. */
  public static List<ClaimVolume> of(JsonObject pod) {
    JsonArray volumes = pod.object("spec").array("volumes");
    if (volumes.isEmpty()) {
      return List.of();
    }
    Metadata metadata = Metadata.of(pod);
    List<ClaimVolume> claims = new ArrayList<>(volumes.size());
    for (JsonObject volume : volumes.objects()) {
      if (volume.has("persistentVolumeClaim")) {
        String name = volume.object("persistentVolumeClaim").text("claimName", "");
        claims.add(new ClaimVolume(new ObjectName(metadata.namespace(), name), ""));
      } else if (volume.has("ephemeral")) {
        String name = metadata.name() + "-" + volume.text("name", "");
        claims.add(new ClaimVolume(new ObjectName(metadata.namespace(), name), metadata.uid()));
      }
    }
    return List.copyOf(claims);
  }

  /**
   * Whether a pod still needs its volumes: until it has finished, or is being deleted and none of
   * its containers runs. A pod that is terminating needs them, and one whose node is silent does so
   * for as long as it is there.
   *
   * @param keepsTerminated whether its node wants volumes to stay until the pod is gone
   */
  public static boolean isNeeded(JsonObject pod, boolean keepsTerminated) {
    JsonObject status = pod.object("status");
    boolean ended =
        PodPhase.of(status.text("phase", "")).finished()
            || (Metadata.of(pod).isBeingDeleted()
                && status.array("containerStatuses").objects().stream()
                    .noneMatch(container -> container.object("state").has("running")));
    return keepsTerminated || !ended;
  }
}
