package dev.berth.scheduler.cluster.volume;

import dev.berth.model.resource.ObjectName;
import dev.berth.scheduler.cluster.pod.PlacedPods;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.pod.PodListener;
import java.util.HashMap;
import java.util.Map;

/**
 * How many pods on nodes use a claim. Counted from the first question on, which few clusters' pods
 * make anybody do.
 */
final class ClaimUsers implements PodListener {
  private final PlacedPods pods;
  private final Map<ObjectName, Integer> users = new HashMap<>();
  private boolean listening;

  ClaimUsers(PlacedPods pods) {
    this.pods = pods;
  }

  int of(ObjectName claim) {
    if (!listening) {
      listening = true;
      pods.listen(this);
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
    for (PodClaim claim : PodClaim.of(pod)) {
      int now = users.getOrDefault(claim.name(), 0) + change;
      if (now == 0) {
        users.remove(claim.name());
      } else {
        users.put(claim.name(), now);
      }
    }
  }
}
