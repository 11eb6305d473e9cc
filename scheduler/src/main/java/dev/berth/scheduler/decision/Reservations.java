package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.cluster.Trial;
import dev.berth.scheduler.plugin.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Room that one pod must leave for others: those that are nominated to a node, not there yet, and
 * of no lower priority. A node is good only if it is so with them as well as without them, since
 * they may help (pod affinity) and may still go elsewhere.
 */
final class Reservations {
  private final Profile profile;
  private final PodInfo pod;
  private final Cluster cluster;
  private @Nullable NodeCheck check;

  Reservations(Profile profile, PodInfo pod, Cluster cluster) {
    this.profile = profile;
    this.pod = pod;
    this.cluster = cluster;
  }

  /** Why a node is refused once those are counted in; null if it is not. */
  @Nullable Refusal refusal(int node) {
    if (cluster.nominations().isEmpty()) {
      return null;
    }
    String nodeName = cluster.node(node).name();
    List<PodInfo> others = cluster.nominations().before(pod, nodeName);
    if (others.isEmpty()) {
      return null;
    }
    NodeCheck filters = check();
    Refusal refusal;
    try (Trial trial = cluster.trial()) {
      for (PodInfo other : others) {
        trial.add(other, nodeName);
        filters.added(other, node);
      }
      refusal = filters.check(node);
    }
    others.forEach(other -> filters.removed(other, node));
    return refusal;
  }

  private NodeCheck check() {
    if (check == null) {
      check = new NodeCheck(profile, pod, cluster);
    }
    return check;
  }
}
