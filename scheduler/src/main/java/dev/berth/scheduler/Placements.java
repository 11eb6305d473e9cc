package dev.berth.scheduler;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which pods count on which nodes: those that were seen there, and those that are assumed there
 * because they are being bound. A pod counts once, in whatever order its events arrive.
 */
final class Placements {
  private final Cluster cluster;
  private final Map<String, Placement> byUid = new HashMap<>();

  /** A pod as it is counted, and whether that is assumed or was seen. */
  private record Placement(PodInfo pod, String node, boolean assumed) {}

  Placements(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Counts a pod on a node until it is seen there or {@linkplain #forgetAssumed forgotten}. */
  void assume(PodInfo pod, String node) {
    cluster.add(pod, node);
    byUid.put(pod.uid(), new Placement(pod, node, true));
  }

  /** Takes note that a pod is on a node. Returns how it was counted before, or null. */
  @Nullable PodInfo seen(PodInfo pod, String node) {
    Placement before = byUid.put(pod.uid(), new Placement(pod, node, false));
    if (before != null) {
      cluster.remove(before.pod, before.node);
    }
    cluster.add(pod, node);
    return before == null ? null : before.pod;
  }

  /** Forgets a pod that is only assumed on its node. */
  void forgetAssumed(PodInfo pod) {
    Placement placement = byUid.get(pod.uid());
    if (placement != null && placement.assumed) {
      forget(pod.uid());
    }
  }

  /** A pod is gone or has ended. Returns whether it counted. */
  boolean forget(String uid) {
    Placement placement = byUid.remove(uid);
    return placement != null && cluster.remove(placement.pod, placement.node);
  }

  /** Whether a pod is being bound. */
  boolean isAssumed(String uid) {
    Placement placement = byUid.get(uid);
    return placement != null && placement.assumed;
  }
}
