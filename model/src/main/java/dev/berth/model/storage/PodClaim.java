package dev.berth.model.storage;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A claim that a pod uses.
 *
 * @param ephemeral whether it is made for the pod and goes with it; it has the names of the pod and
 *     of the volume then
 * @param owner the uid of the pod that an ephemeral claim must belong to; empty for any other
 */
public record PodClaim(ObjectName claim, boolean ephemeral, String owner) {

  /** The claims of a pod, in the order of its volumes. */
  public static List<PodClaim> of(JsonObject pod) {
    JsonArray volumes = pod.object("spec").array("volumes");
    if (volumes.isEmpty()) {
      return List.of();
    }
    Metadata metadata = Metadata.of(pod);
    String namespace = metadata.namespace();
    List<PodClaim> claims = new ArrayList<>(volumes.size());
    for (JsonObject volume : volumes.objects()) {
      if (volume.has("persistentVolumeClaim")) {
        String name = volume.object("persistentVolumeClaim").text("claimName", "");
        claims.add(new PodClaim(new ObjectName(namespace, name), false, ""));
      } else if (volume.has(EphemeralVolume.FIELD)) {
        String name = EphemeralVolume.claimName(metadata.name(), volume.text("name", ""));
        claims.add(new PodClaim(new ObjectName(namespace, name), true, metadata.uid()));
      }
    }
    return List.copyOf(claims);
  }
}
