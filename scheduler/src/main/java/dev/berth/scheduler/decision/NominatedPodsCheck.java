package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.DryRun;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps resources free for the pods that are nominated to a node, not there yet, and of no lower
 * priority than the pod at hand. A node must pass the filters with them as well as without them:
 * they may help (pod affinity), and may still go elsewhere.
 */
final class NominatedPodsCheck {
  private final Profile profile;
  private final PodInfo pod;
  private final Cluster cluster;
  private @Nullable PodFilters filters;

  NominatedPodsCheck(Profile profile, PodInfo pod, Cluster cluster) {
    this.profile = profile;
    this.pod = pod;
    this.cluster = cluster;
  }

  /** Why a node is refused if its nominated pods are counted as there; null if it is not. */
  @Nullable Refusal refusal(int node) {
    if (cluster.nominations().isEmpty()) {
      return null;
    }
    String nodeName = cluster.node(node).name();
    List<PodInfo> others = cluster.nominations().before(pod, nodeName);
    if (others.isEmpty()) {
      return null;
    }
    PodFilters prepared = filters();
    Refusal refusal;
    try (DryRun dryRun = cluster.dryRun()) {
      for (PodInfo other : others) {
        dryRun.add(other, nodeName);
        prepared.added(other, node);
      }
      refusal = prepared.refusal(node);
    }
    others.forEach(other -> prepared.removed(other, node));
    return refusal;
  }

  private PodFilters filters() {
    if (filters == null) {
      filters = new PodFilters(profile, pod, cluster);
    }
    return filters;
  }
}
