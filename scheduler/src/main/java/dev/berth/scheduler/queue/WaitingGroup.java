package dev.berth.scheduler.queue;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.affinity.PodAffinity;
import dev.berth.scheduler.cluster.pod.PodClass;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Unschedulable pods that are alike: what may help one may help all. A hundred thousand pods of a
 * few workloads are a few groups.
 */
final class WaitingGroup {
  private final Key key;
  private final PodInfo example;
  private final Set<String> nodes;
  private final Map<String, QueueEntry> members = new LinkedHashMap<>();

  /**
   * What makes pods alike to {@link QueueingHints}.
   *
   * @param labels empty unless terms or constraints take values of them
   * @param claimant the UID of a pod that claims devices: nobody else has the same claims
   * @param refusing the plugins that refused them
   */
  record Key(
      String schedulerName,
      PodClass podClass,
      long priority,
      JsonObject affinity,
      JsonArray spreadConstraints,
      JsonObject labels,
      String claimant,
      Set<String> refusing) {

    static Key of(PodInfo pod, Set<String> refusing) {
      JsonObject affinity = pod.affinity();
      JsonArray spread = pod.topologySpreadConstraints();
      boolean namesLabels = PodAffinity.namesLabels(affinity) || PodAffinity.namesLabels(spread);
      return new Key(
          pod.view().spec().schedulerName(),
          pod.podClass(),
          pod.priority(),
          affinity,
          spread,
          namesLabels ? pod.labels() : JsonObject.EMPTY,
          pod.resourceClaims().isEmpty() ? "" : pod.uid(),
          refusing);
    }
  }

  WaitingGroup(Key key, PodInfo example, Set<String> nodes) {
    this.key = key;
    this.example = example;
    this.nodes = nodes;
  }

  /** The only nodes on which an event may help them; empty if it may be any. */
  Set<String> nodes() {
    return nodes;
  }

  Key key() {
    return key;
  }

  /** Any of them, for hints. */
  PodInfo example() {
    return example;
  }

  Map<String, QueueEntry> members() {
    return members;
  }
}
