package dev.berth.sim.forecast;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.ZoneRate;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.snapshot.ClusterSnapshot;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What an action would do to a cluster: a function of the snapshot, and of what is assumed. */
public final class Forecast {
  private final ForecastAction action;
  private final Instant begin;
  private final ForecastRun run;
  private final List<ForecastPod> concerned;
  private final TolerationRules rules;

  private Forecast(
      ClusterSnapshot snapshot,
      ForecastAction action,
      ForecastSettings settings,
      RandomGenerator random) {
    this.action = action;
    this.begin = snapshot.takenAt();
    this.rules = settings.scheduler().gates().tolerations();
    this.run = new ForecastRun(snapshot, settings, random);
    this.concerned = run.run(action);
  }

  /**
   * Forecasts.
   *
   * @param random chooses among nodes that are equally good for a pod
   * @return what {@code berth forecast -o json} prints; times are seconds from the beginning
   */
  public static JsonObject of(
      ClusterSnapshot snapshot,
      ForecastAction action,
      ForecastSettings settings,
      RandomGenerator random) {
    return new Forecast(snapshot, action, settings, random).toTree();
  }

  private JsonObject toTree() {
    List<JsonObject> leaving = new ArrayList<>();
    List<JsonObject> staying = new ArrayList<>();
    List<JsonObject> blocked = new ArrayList<>();
    concerned.stream()
        .sorted(
            Comparator.comparing((ForecastPod pod) -> pod.leftAt == null ? Instant.MAX : pod.leftAt)
                .thenComparing(pod -> pod.name))
        .forEach(pod -> {
          if (pod.leftAt != null) {
            leaving.add(leaving(pod));
          } else if (!pod.heldBack.isEmpty()) {
            blocked.add(one(pod).put("because", pod.heldBack).build());
          } else {
            staying.add(one(pod).put("because", whyItStays(pod)).build());
          }
        });
    return new JsonObject.Builder()
        .put("kind", "Forecast")
        .put("asOf", begin.toString())
        .put("nodes", JsonArray.copyOf(action.nodes()))
        .put("losses", losses())
        .put("zones", zones())
        .put("leaving", JsonArray.copyOf(leaving))
        .put("blocked", JsonArray.copyOf(blocked))
        .put("staying", JsonArray.copyOf(staying))
        .put("others", others())
        .put("pending", pending())
        .put("workloads", workloads())
        .put("budgets", budgets())
        .build();
  }

  /** When each node is found to be lost, and gets the taint that empties it. */
  private JsonArray losses() {
    LossTimes times = run.losses;
    if (times == null) {
      return JsonArray.EMPTY;
    }
    List<JsonObject> told = new ArrayList<>();
    for (String node : action.nodes()) {
      JsonObject.Builder one =
          new JsonObject.Builder().put("node", node).put("lost", seconds(times.lost().get(node)));
      Instant tainted = times.tainted().get(node);
      if (tainted != null) {
        one.put("tainted", seconds(tainted));
      }
      told.add(one.build());
    }
    return JsonArray.copyOf(told);
  }

  private JsonArray zones() {
    LossTimes times = run.losses;
    return JsonArray.copyOf(
        times == null
            ? List.of()
            : times.rates().rates().stream()
                .filter(rate -> rate.reason() != ZoneRate.Reason.ZONE_WORKS)
                .map(ZoneRate::expectation)
                .toList());
  }

  private static JsonObject.Builder one(ForecastPod pod) {
    return new JsonObject.Builder()
        .put("pod", pod.name.toString())
        .put("node", pod.node)
        .put("workload", pod.workload.name);
  }

  private JsonObject leaving(ForecastPod pod) {
    JsonObject.Builder told =
        one(pod).put("at", seconds(pod.leftAt)).put("because", pod.because).put("gone", pod.gone);
    if (!pod.heldBack.isEmpty()) {
      told.put("heldBackBy", pod.heldBack);
    }
    ForecastPod next = pod.successor;
    if (next == null) {
      return told.put("then", whyNoSuccessor(pod)).build();
    }
    told.put("successor", next.name.toString());
    if (next.placedAt != null) {
      told.put("to", next.node).put("placedAt", seconds(next.placedAt));
    } else {
      told.put("pending", next.unschedulable);
    }
    return told.build();
  }

  private static String whyNoSuccessor(ForecastPod pod) {
    return switch (pod.controllerKind()) {
      case "" -> "nothing replaces it: no controller manages it";
      case "DaemonSet" -> "its DaemonSet does not bring it back while the node is tainted";
      case "StatefulSet" ->
          "it is not replaced until its node is back or is deleted: a StatefulSet waits for that";
      default -> "its node brings it back";
    };
  }

  private String whyItStays(ForecastPod pod) {
    PodTree tree = pod.pod();
    if (pod.terminating) {
      return "it is on its way out already";
    }
    if (action instanceof ForecastAction.Drain) {
      if (tree.metadata().annotations().has(WellKnownAnnotations.CONFIG_MIRROR)) {
        return "a static pod of its node";
      }
      return pod.controllerKind().equals("DaemonSet")
          ? "drains leave pods of DaemonSets"
          : "the drain does not come to it" + whyTheDrainStopped();
    }
    for (Taint taint : run.state.node(pod.node).taints()) {
      for (Toleration toleration : Toleration.list(tree.tolerations())) {
        if (taint.effect() == TaintEffect.NO_EXECUTE && rules.tolerates(toleration, taint)) {
          return "tolerates %s%s"
              .formatted(
                  toleration.key().isEmpty() ? "every taint" : toleration.key(),
                  toleration.tolerationSeconds() == null ? " for ever" : " beyond the horizon");
        }
      }
    }
    return switch (action) {
      case ForecastAction.Lose _ -> "its zone's eviction rate does not let its node be emptied";
      default -> "nothing makes it leave";
    };
  }

  private String whyTheDrainStopped() {
    return concerned.stream()
        .filter(pod -> pod.leftAt == null && !pod.heldBack.isEmpty())
        .findFirst()
        .map(pod -> ": a budget holds back %s on %s".formatted(pod.name, pod.node))
        .orElse(" within the horizon");
  }

  /**
   * Pods of other nodes that leave in the course of it, by preemption say, and pods that had no
   * node, come to one of these and leave it again. Where successors go on from here is not told.
   */
  private JsonArray others() {
    Set<ForecastPod> told = new HashSet<>(concerned);
    return JsonArray.copyOf(
        run.state.pods.stream()
            .filter(pod -> pod.leftAt != null && !pod.node.isEmpty() && !told.contains(pod))
            .filter(pod -> run.state.existing.contains(pod) || !action.nodes().contains(pod.node))
            .map(this::leaving)
            .toList());
  }

  /** How many pods have no node in the end, wherever they came from. */
  private long pending() {
    return run.state.pods.stream().filter(pod -> pod.node.isEmpty() && !pod.terminating).count();
  }

  private JsonArray workloads() {
    List<JsonObject> told = new ArrayList<>();
    for (Workloads.Tally tally : run.state.workloads.all()) {
      Low low = tally.low;
      if (low.lowest != Long.MAX_VALUE && low.since != null) {
        told.add(
            lost(low)
                .put("workload", tally.name)
                .put("wanted", tally.wanted)
                .put("lowest", low.lowest)
                .build());
      }
    }
    told.sort(Comparator.comparing((JsonObject each) -> each.text("workload", "")));
    return JsonArray.copyOf(told);
  }

  private JsonArray budgets() {
    List<JsonObject> told = new ArrayList<>();
    for (BudgetTally tally : run.state.budgets) {
      if (tally.low.since != null) {
        told.add(
            lost(tally.low)
                .put("budget", tally.budget.namespace() + "/" + tally.budget.name())
                .put("needed", tally.budget.status().desiredHealthy())
                .put("lowest", tally.low.lowest)
                .build());
      }
    }
    return JsonArray.copyOf(told);
  }

  private JsonObject.Builder lost(Low low) {
    JsonObject.Builder told = new JsonObject.Builder().put("from", seconds(low.since));
    if (low.until != null) {
      told.put("until", seconds(low.until));
    }
    return told;
  }

  private Object seconds(@Nullable Instant time) {
    Duration since = Duration.between(begin, time == null ? begin : time);
    BigDecimal exact = BigDecimal.valueOf(since.toMillis(), 3).stripTrailingZeros();
    return exact.scale() <= 0
        ? (Object) exact.longValueExact()
        : new JsonNumber(exact.toPlainString());
  }
}
