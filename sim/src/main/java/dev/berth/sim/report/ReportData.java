package dev.berth.sim.report;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.record.NodeHistory;
import dev.berth.sim.record.NodeState;
import dev.berth.sim.record.PodHistory;
import dev.berth.sim.record.PodState;
import dev.berth.sim.record.Recording;
import dev.berth.sim.record.StepSeries;
import dev.berth.sim.record.WorkloadHistory;
import dev.berth.sim.record.WorkloadId;
import dev.berth.sim.scenario.Scenario;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One simulation as a tree: what the page draws, and what machines read. Times are milliseconds
 * from the beginning; a series is a list of times and values in turn. Pods, of which there may be
 * very many, are rows whose columns {@code podColumns} names; {@code way} is a place in {@code
 * podWays}, each of which is a series of states.
 */
public final class ReportData {
  private final Scenario scenario;
  private final Recording recording;

  /** When pods went into which states: most pods share theirs with many others. */
  private final Map<JsonArray, Integer> ways = new LinkedHashMap<>();

  private ReportData(Scenario scenario, Recording recording) {
    this.scenario = scenario;
    this.recording = recording;
  }

  public static JsonObject of(Scenario scenario, Recording recording) {
    return new ReportData(scenario, recording).tree();
  }

  private JsonObject tree() {
    return new JsonObject.Builder()
        .put("name", scenario.name())
        .put("description", scenario.description())
        .put("seed", scenario.seed())
        .put("durationMillis", recording.duration().toMillis())
        .put("settings", JsonObject.ofStrings(new TreeMap<>(scenario.settings())))
        .put("evictions", (long) recording.evictions())
        .put("expectations", expectations())
        .put("story", story())
        .put("workloads", workloads())
        .put("podStates", podStates())
        .put("nodeStates", nodeStates())
        .put("nodesEmptied", JsonArray.copyOf(recording.emptied()))
        .put("nodesAllowedPerMinuteThousandths", series(recording.allowed()))
        .put(
            "nodeStateNames",
            names(List.of(NodeState.values()).stream().map(NodeState::words).toList()))
        .put("nodes", nodes())
        .put("pending", pending())
        .put(
            "podStateNames",
            names(List.of(PodState.values()).stream().map(PodState::words).toList()))
        .put("evictionReasons", names(reasons().keySet().stream().toList()))
        .put(
            "podColumns",
            names(List.of("name", "workload", "node", "evictedAt", "evictionReason", "way")))
        .put("pods", pods())
        .put("podWays", JsonArray.copyOf(List.copyOf(ways.keySet())))
        .build();
  }

  private static JsonArray names(List<String> names) {
    return JsonArray.copyOf(names);
  }

  private static JsonArray series(StepSeries series) {
    List<Object> all = new ArrayList<>(2 * series.size());
    for (int i = 0; i < series.size(); i++) {
      all.add(series.time(i));
      all.add(series.value(i));
    }
    return JsonArray.copyOf(all);
  }

  private JsonArray expectations() {
    return JsonArray.copyOf(
        Judgement.of(scenario, recording).stream()
            .map(judgement ->
                new JsonObject.Builder()
                    .put("expected", judgement.expectation().words())
                    .put("holds", judgement.holds())
                    .put("found", judgement.found())
                    .build())
            .toList());
  }

  private JsonArray story() {
    return JsonArray.copyOf(
        Story.of(recording).stream()
            .map(line ->
                new JsonObject.Builder()
                    .put("at", line.time())
                    .put("kind", line.kind())
                    .put("text", line.text())
                    .build())
            .toList());
  }

  private JsonArray workloads() {
    List<JsonObject> all = new ArrayList<>();
    for (WorkloadHistory workload : recording.workloads().values()) {
      WorkloadHistory.Worst worst = workload.worst(0);
      JsonObject.Builder tree =
          new JsonObject.Builder()
              .put("kind", workload.id().kind())
              .put("namespace", workload.id().namespace())
              .put("name", workload.id().name())
              .put("pods", (long) workload.pods())
              .put("evictions", (long) workload.evictions())
              .put("completeAt", workload.completeAt().orElse(-1))
              .put("incompleteMillis", workload.incompleteMillis(recording.duration().toMillis()))
              .put("worstAt", worst.at())
              .put("worstAvailable", worst.available())
              .put("worstDesired", worst.desired())
              .put("desired", series(workload.desired()))
              .put("available", series(workload.available()))
              .put("pending", series(workload.pending()))
              .put("budget", series(workload.budget()));
      all.add(tree.build());
    }
    return JsonArray.copyOf(all);
  }

  private JsonObject podStates() {
    JsonObject.Builder tree = new JsonObject.Builder();
    recording.podStates().forEach((state, series) -> tree.put(state.words(), series(series)));
    return tree.build();
  }

  private JsonObject nodeStates() {
    JsonObject.Builder tree = new JsonObject.Builder();
    recording.nodeStates().forEach((state, series) -> tree.put(state.words(), series(series)));
    return tree.build();
  }

  private JsonArray nodes() {
    List<JsonObject> all = new ArrayList<>();
    for (NodeHistory node : recording.nodes()) {
      all.add(
          new JsonObject.Builder()
              .put("name", node.name())
              .put("zone", node.zone())
              .put("states", series(node.states()))
              .build());
    }
    return JsonArray.copyOf(all);
  }

  private JsonArray pending() {
    Map<String, Map<String, Integer>> reasons = new TreeMap<>();
    for (PodHistory pod : recording.pods()) {
      if (pod.state() == PodState.PENDING) {
        reasons
            .computeIfAbsent(pod.pendingBecause(), _ -> new TreeMap<>())
            .merge(pod.workload().toString(), 1, Integer::sum);
      }
    }
    List<JsonObject> all = new ArrayList<>();
    reasons.forEach((reason, workloads) -> {
      JsonObject.Builder counts = new JsonObject.Builder();
      workloads.forEach((name, count) -> counts.put(name, (long) count));
      all.add(new JsonObject.Builder().put("because", reason).put("pods", counts.build()).build());
    });
    return JsonArray.copyOf(all);
  }

  private Map<String, Integer> reasons() {
    Map<String, Integer> reasons = new LinkedHashMap<>();
    for (PodHistory pod : recording.pods()) {
      if (pod.wasEvicted()) {
        reasons.putIfAbsent(pod.eviction(), reasons.size());
      }
    }
    return reasons;
  }

  private JsonArray pods() {
    Map<WorkloadId, Integer> indices = new HashMap<>();
    recording.workloads().keySet().forEach(id -> indices.put(id, indices.size()));
    Map<String, Integer> reasons = reasons();
    List<JsonArray> all = new ArrayList<>();
    for (PodHistory pod : recording.pods()) {
      List<Object> changes = new ArrayList<>();
      for (int i = 0; i < pod.changes(); i++) {
        changes.add(pod.time(i));
        changes.add((long) pod.state(i).code());
      }
      all.add(
          JsonArray.of(
              pod.name().name(),
              (long) indices.getOrDefault(pod.workload(), -1),
              (long) pod.node(),
              pod.evictedAt(),
              (long) reasons.getOrDefault(pod.eviction(), -1),
              (long) ways.computeIfAbsent(JsonArray.copyOf(changes), _ -> ways.size())));
    }
    return JsonArray.copyOf(all);
  }
}
