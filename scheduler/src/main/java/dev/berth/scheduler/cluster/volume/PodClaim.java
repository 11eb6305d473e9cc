package dev.berth.scheduler.cluster.volume;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * A claim that a pod uses.
 *
 * @param ephemeral whether it is made for the pod and goes with it; it has the names of the pod and
 *     of the volume then
 */
public record PodClaim(ObjectName name, boolean ephemeral) {

  public static List<PodClaim> of(PodInfo pod) {
    JsonArray volumes = pod.volumes();
    if (volumes.isEmpty()) {
      return List.of();
    }
    List<PodClaim> claims = new ArrayList<>();
    String namespace = pod.name().namespace();
    for (JsonObject volume : volumes.objects()) {
      if (volume.has("persistentVolumeClaim")) {
        String name = volume.object("persistentVolumeClaim").text("claimName", "");
        claims.add(new PodClaim(new ObjectName(namespace, name), false));
      } else if (volume.has("ephemeral")) {
        String name = pod.name().name() + "-" + volume.text("name", "");
        claims.add(new PodClaim(new ObjectName(namespace, name), true));
      }
    }
    return claims;
  }

  /** What is said when it does not exist. */
  public String notFound() {
    return "persistentvolumeclaim \"" + name.name() + "\" not found";
  }
}
