package dev.berth.scheduler.cluster;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * How many pods on nodes name a claim in their volumes. Counted from the first time that somebody
 * asks, which few clusters' pods make anybody do.
 */
final class ClaimUsers implements PodListener {
  private final Cluster cluster;
  private final Map<ObjectName, Integer> users = new HashMap<>();
  private boolean listening;

  ClaimUsers(Cluster cluster) {
    this.cluster = cluster;
  }

  int of(ObjectName claim) {
    if (!listening) {
      listening = true;
      cluster.listen(this);
    }
    return users.getOrDefault(claim, 0);
  }

  @Override
  public void added(PodInfo pod, int node) {
    change(pod, 1);
  }

  @Override
  public void removed(PodInfo pod, int node) {
    change(pod, -1);
  }

  private void change(PodInfo pod, int change) {
    for (JsonObject volume : pod.tree().object("spec").array("volumes").objects()) {
      String claim = volume.object("persistentVolumeClaim").text("claimName", "");
      if (!claim.isEmpty()) {
        ObjectName name = new ObjectName(pod.name().namespace(), claim);
        int now = users.getOrDefault(name, 0) + change;
        if (now == 0) {
          users.remove(name);
        } else {
          users.put(name, now);
        }
      }
    }
  }
}
