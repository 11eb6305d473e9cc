package dev.berth.sim.explain;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.PodView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.CountdownStart;
import dev.berth.policy.taint.EvictionTime;
import dev.berth.policy.taint.RespectedBudgets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** How long a pod stays on its node, and what holds it there. */
final class StayExplainer {
  private final ExplainedCluster cluster;

  StayExplainer(ExplainedCluster cluster) {
    this.cluster = cluster;
  }

  /** The taints of a pod's node that concern it, and when it has to leave. */
  JsonObject stay(PodTree pod) {
    JsonObject.Builder told = new JsonObject.Builder();
    Optional<NodeView> node = cluster.node(pod.nodeName());
    if (node.isEmpty()) {
      return told.put("verdict", "Its node %s does not exist.".formatted(pod.nodeName())).build();
    }
    List<Toleration> tolerations = Toleration.list(pod.tolerations());
    List<JsonObject> taints = new ArrayList<>();
    for (Taint taint : node.get().taints()) {
      taints.add(taint(taint, tolerations));
    }
    EvictionTime time = evictionTime(pod, node.get());
    Optional<Instant> heldBackUntil = heldBackUntil(pod, node.get(), time);
    String held =
        heldBackUntil
            .map(until ->
                " Budget %s may hold it back until %s, as %s of its node says."
                    .formatted(
                        String.join(", ", budgets(pod)),
                        Times.format(until),
                        RespectedBudgets.ANNOTATION))
            .orElse("");
    told.put("verdict", verdict(time) + held).put("taints", JsonArray.copyOf(taints));
    heldBackUntil.ifPresent(until -> told.put("heldBackUntil", Times.format(until)));
    if (time instanceof EvictionTime.At(Instant at, Taint _)) {
      told.put("evictedAt", Times.format(at));
    }
    return told.put("ifNodeFails", JsonArray.copyOf(ifNodeFails(tolerations))).build();
  }

  EvictionTime evictionTime(PodTree pod, NodeView node) {
    return EvictionTime.of(
        pod,
        CountdownStart.ofPod(pod, cluster.now()),
        node.taints(),
        cluster.tolerations(),
        cluster.now());
  }

  /**
   * Until when disruption budgets may hold back a pod that has to leave; empty if it has none, or
   * they are not asked. A daemon set asks nobody before it deletes a pod that does not tolerate its
   * node at all.
   */
  Optional<Instant> heldBackUntil(PodTree pod, NodeView node, EvictionTime time) {
    Instant due =
        switch (time) {
          case EvictionTime.Never _ -> Instant.MAX;
          case EvictionTime.Immediately _ ->
              pod.metadata().controller().filter(o -> o.kind().equals("DaemonSet")).isPresent()
                  ? Instant.MAX
                  : cluster.now();
          case EvictionTime.At(Instant at, Taint _) -> at;
        };
    if (due.equals(Instant.MAX) || budgets(pod).isEmpty()) {
      return Optional.empty();
    }
    List<Taint> taints =
        node.taints().stream().filter(taint -> taint.effect() == TaintEffect.NO_EXECUTE).toList();
    Instant until =
        cluster
            .respected(node.name())
            .holdBackUntil(
                pod,
                CountdownStart.ofPod(pod, cluster.now()),
                taints,
                cluster.tolerations(),
                cluster.now());
    return Optional.of(until).filter(end -> end.isAfter(due));
  }

  /** The names of the disruption budgets that select a pod. */
  private List<String> budgets(PodTree pod) {
    PodView view = PodView.read(pod.tree());
    return cluster.snapshot().list("poddisruptionbudgets.policy").stream()
        .map(PodDisruptionBudgetView::read)
        .filter(budget -> budget.selects(view))
        .map(PodDisruptionBudgetView::name)
        .toList();
  }

  private JsonObject taint(Taint taint, List<Toleration> tolerations) {
    JsonObject.Builder told = new JsonObject.Builder().put("taint", taint.toString());
    if (taint.timeAdded() != null) {
      told.put("since", Times.format(taint.timeAdded()));
    }
    List<Toleration> matching =
        tolerations.stream()
            .filter(toleration -> cluster.tolerations().tolerates(toleration, taint))
            .toList();
    if (matching.isEmpty()) {
      boolean evicts = taint.effect() == TaintEffect.NO_EXECUTE;
      return told.put(
              "effect",
              evicts
                  ? "not tolerated: it has to leave at once"
                  : "not tolerated, and no matter to a pod that is there already")
          .build();
    }
    return told.put("toleratedBy", text(matching.getFirst()))
        .put("effect", taint.effect() == TaintEffect.NO_EXECUTE ? held(matching) : "tolerated")
        .build();
  }

  private static String held(List<Toleration> matching) {
    OptionalLong seconds =
        matching.stream()
            .filter(toleration -> toleration.tolerationSeconds() != null)
            .mapToLong(toleration -> Math.max(0, toleration.tolerationSeconds()))
            .min();
    return seconds.isEmpty()
        ? "tolerated for ever"
        : "tolerated for %d s".formatted(seconds.getAsLong());
  }

  /** A toleration as people write taints: {@code key=value:Effect for 300s}. */
  static String text(Toleration toleration) {
    String key = toleration.key().isEmpty() ? "every taint" : toleration.key();
    String value = toleration.value().isEmpty() ? "" : "=" + toleration.value();
    String effect = toleration.effect() == null ? "" : ":" + toleration.effect().text();
    String seconds =
        toleration.tolerationSeconds() == null
            ? ""
            : " for %ds".formatted(toleration.tolerationSeconds());
    return key + value + effect + seconds;
  }

  private static String verdict(EvictionTime time) {
    return switch (time) {
      case EvictionTime.Never _ -> "No taint of its node makes it leave.";
      case EvictionTime.Immediately(Taint taint) ->
          "It is evicted at once because of %s.".formatted(taint);
      case EvictionTime.At(Instant at, Taint taint) ->
          "It is evicted at %s, when its toleration of %s runs out."
              .formatted(Times.format(at), taint);
    };
  }

  /** What becomes of it if its node is lost or is not ready. */
  private List<String> ifNodeFails(List<Toleration> tolerations) {
    List<String> told = new ArrayList<>();
    for (String key : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
      Taint taint = Taint.of(key, TaintEffect.NO_EXECUTE);
      EvictionTime time =
          EvictionTime.of(
              tolerations, cluster.now(), List.of(taint), cluster.tolerations(), cluster.now());
      told.add(
          "%s: %s"
              .formatted(
                  taint,
                  switch (time) {
                    case EvictionTime.Never _ -> "stays";
                    case EvictionTime.Immediately _ -> "leaves at once";
                    case EvictionTime.At(Instant at, Taint _) ->
                        "leaves after %d s"
                            .formatted(at.getEpochSecond() - cluster.now().getEpochSecond());
                  }));
    }
    return told;
  }

  /** What holds a pod that is being deleted. */
  JsonObject deletion(PodTree pod) {
    List<String> held = new ArrayList<>();
    List<String> finalizers = pod.metadata().finalizers();
    if (!finalizers.isEmpty()) {
      held.add("finalizers: " + String.join(", ", finalizers));
    }
    Optional<NodeView> node = cluster.node(pod.nodeName());
    if (pod.isBound() && node.isEmpty()) {
      held.add(
          "its node %s is gone; pods of such nodes are deleted soon".formatted(pod.nodeName()));
    } else if (node.isPresent() && !node.get().ready()) {
      held.add(
          "its node %s is not ready, and nobody confirms that it has ended"
              .formatted(pod.nodeName()));
    } else if (pod.isBound() && !pod.phase().finished()) {
      held.add("its containers have time to end");
    }
    JsonObject.Builder told = new JsonObject.Builder();
    pod.metadata().deletionTimestamp().ifPresent(time -> told.put("deadline", Times.format(time)));
    pod.metadata()
        .deletionGracePeriodSeconds()
        .ifPresent(seconds -> told.put("gracePeriodSeconds", seconds));
    return told.put("heldBy", JsonArray.copyOf(held)).build();
  }
}
