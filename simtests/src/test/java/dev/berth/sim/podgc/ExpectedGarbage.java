package dev.berth.sim.podgc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which pods are garbage, by a plain reading of the rules: it looks at everything there is, each
 * time something may have changed. A collector may be as late as its watch is, and so may act on
 * what was true a while ago.
 */
final class ExpectedGarbage {
  private static final Duration LATE = Duration.ofSeconds(90);

  /** Why a pod is garbage. */
  private enum Why {
    ON_NO_NODE,
    OUT_OF_SERVICE,
    ORPHANED,
    TOO_MANY
  }

  private final VirtualCluster cluster;
  private final int mostFinished;

  /** By uid: when it was last garbage, and why. */
  private final Map<String, Map<Why, Instant>> seen = new HashMap<>();

  private final Set<String> endedByThemselves = new HashSet<>();
  private final Set<String> collected = new HashSet<>();

  ExpectedGarbage(VirtualCluster cluster, int mostFinished) {
    this.cluster = cluster;
    this.mostFinished = mostFinished;
  }

  void endedByItself(JsonObject pod) {
    endedByThemselves.add(Metadata.of(pod).uid());
  }

  /** How many pods were deleted. */
  int collections() {
    return collected.size();
  }

  /** Takes note of which pods are garbage now. */
  void observe() {
    Instant now = cluster.time().now();
    Map<String, JsonObject> nodes =
        cluster.list(Resources.NODES).stream()
            .collect(Collectors.toMap(node -> Metadata.of(node).name(), node -> node));
    List<JsonObject> pods = cluster.list(Resources.PODS);
    boolean tooMany = pods.stream().filter(ExpectedGarbage::isFinished).count() > mostFinished;
    for (JsonObject pod : pods) {
      Map<Why, Instant> reasons =
          seen.computeIfAbsent(Metadata.of(pod).uid(), _ -> new EnumMap<>(Why.class));
      String node = pod.object("spec").text("nodeName", "");
      boolean goes = Metadata.of(pod).isBeingDeleted();
      if (goes && node.isEmpty()) {
        reasons.put(Why.ON_NO_NODE, now);
      }
      if (!node.isEmpty() && !nodes.containsKey(node)) {
        reasons.put(Why.ORPHANED, now);
      }
      if (goes && nodes.containsKey(node) && isDown(nodes.get(node)) && !tolerates(pod)) {
        reasons.put(Why.OUT_OF_SERVICE, now);
      }
      if (tooMany && isFinished(pod)) {
        reasons.put(Why.TOO_MANY, now);
      }
    }
  }

  static boolean isFinished(JsonObject pod) {
    return Set.of("Succeeded", "Failed").contains(pod.object("status").text("phase", ""));
  }

  private static boolean isDown(JsonObject node) {
    boolean ready = Conditions.isTrue(node.object("status").array("conditions"), "Ready");
    return !ready
        && node.object("spec").array("taints").objects().stream()
            .anyMatch(taint -> taint.text("key", "").endsWith("/out-of-service"));
  }

  private static boolean tolerates(JsonObject pod) {
    return pod.object("spec").array("tolerations").objects().stream()
        .anyMatch(toleration -> toleration.text("key", "").endsWith("/out-of-service"));
  }

  /** Somebody asks for a pod to be deleted, which has not happened yet. */
  void deleted(Target target, DeleteOptions options) {
    observe();
    ApiResult found = cluster.admin().get(Resources.PODS, target.name());
    if (!(found instanceof ApiResult.Done(JsonObject pod))
        || !Metadata.of(pod).uid().equals(options.uid())) {
      assertThat(options.uid()).as("whoever has the name by now is safe").isNotEmpty();
      return;
    }
    String uid = Metadata.of(pod).uid();
    collected.add(uid);
    Instant now = cluster.time().now();
    Map<Why, Instant> reasons = seen.getOrDefault(uid, Map.of());
    assertThat(reasons.values())
        .as("%s is collected at %s", pod, now)
        .anyMatch(time -> !time.plus(LATE).isBefore(now));
    assertThat(isFinished(pod)).as("says how it ended: %s", pod).isTrue();
    if (reasons.keySet().equals(Set.of(Why.ORPHANED)) && !endedByThemselves.contains(uid)) {
      assertThat(
              Conditions.find(pod.object("status").array("conditions"), "DisruptionTarget")
                  .map(condition -> condition.text("reason", "")))
          .as("says why it ended: %s", pod)
          .contains("DeletionByPodGC");
    }
  }

  /** The garbage that is there now and can go; finalizers may hold some of it. */
  List<String> left() {
    seen.clear();
    observe();
    List<String> left = new ArrayList<>();
    int finished = 0;
    for (JsonObject pod : cluster.list(Resources.PODS)) {
      boolean isHeld =
          isFinished(pod) && Metadata.of(pod).deletionGracePeriodSeconds().orElse(1) == 0;
      finished += isFinished(pod) && !isHeld ? 1 : 0;
      Set<Why> reasons =
          new HashSet<>(seen.getOrDefault(Metadata.of(pod).uid(), Map.of()).keySet());
      reasons.remove(Why.TOO_MANY);
      if (!isHeld && !reasons.isEmpty()) {
        left.add(Metadata.of(pod).name() + " " + reasons);
      }
    }
    if (finished > mostFinished) {
      left.add(finished + " finished pods");
    }
    return left;
  }
}
