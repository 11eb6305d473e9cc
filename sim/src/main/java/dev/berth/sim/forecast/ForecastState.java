package dev.berth.sim.forecast;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.PodView;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.RespectedBudgets;
import dev.berth.scheduler.whatif.WhatIfScheduler;
import dev.berth.sim.snapshot.ClusterSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The cluster as a forecast goes on. */
final class ForecastState {
  static final String PODS = "pods";
  static final String NODES = "nodes";

  final WhatIfScheduler scheduler;
  final Workloads workloads;
  final List<BudgetTally> budgets = new ArrayList<>();

  /** All pods that there ever were and that have not ended, in the order of their names. */
  final List<ForecastPod> pods = new ArrayList<>();

  /** Those that there were when it began. */
  final Set<ForecastPod> existing;

  private final Map<String, JsonObject> nodes = new LinkedHashMap<>();
  private final Map<String, List<ForecastPod>> byNode = new HashMap<>();
  private final Map<String, List<BudgetTally>> budgetsByNamespace = new HashMap<>();

  ForecastState(ClusterSnapshot snapshot, WhatIfScheduler scheduler) {
    this.scheduler = scheduler;
    for (String resource : snapshot.resources()) {
      if (resource.equals(PODS)) {
        scheduler.putToBePlacedAnew(snapshot.list(PODS));
      } else {
        snapshot.list(resource).forEach(object -> scheduler.put(resource, object));
      }
    }
    snapshot.list(NODES).forEach(node -> nodes.put(ObjectName.of(node).name(), node));
    for (JsonObject tree : snapshot.list("poddisruptionbudgets.policy")) {
      BudgetTally tally = new BudgetTally(PodDisruptionBudgetView.read(tree));
      budgets.add(tally);
      budgetsByNamespace
          .computeIfAbsent(tally.budget.namespace(), _ -> new ArrayList<>())
          .add(tally);
    }
    workloads = new Workloads(snapshot);
    for (JsonObject tree : snapshot.list(PODS)) {
      PodTree pod = new PodTree(tree);
      if (!pod.phase().finished()) {
        ForecastPod known = add(tree);
        known.terminating = pod.terminating();
        known.node = pod.nodeName();
        on(known.node).add(known);
        if (pod.ready() && !pod.terminating()) {
          setReady(known, true, snapshot.takenAt());
        }
      }
    }
    existing = Set.copyOf(pods);
  }

  /** A pod that is on no node yet. */
  ForecastPod add(JsonObject tree) {
    List<BudgetTally> there =
        budgetsByNamespace.getOrDefault(ObjectName.of(tree).namespace(), List.of());
    List<BudgetTally> own = List.of();
    if (!there.isEmpty()) {
      PodView view = PodView.read(tree);
      own = there.stream().filter(each -> each.budget.selects(view)).toList();
    }
    ForecastPod pod = new ForecastPod(ObjectName.of(tree), tree, workloads.of(tree), own);
    pods.add(pod);
    return pod;
  }

  /** The pods on a node, by its name. */
  List<ForecastPod> on(String node) {
    return byNode.computeIfAbsent(node, _ -> new ArrayList<>());
  }

  /** All nodes as they are now. */
  List<NodeView> nodeViews() {
    return nodes.values().stream().map(NodeView::read).toList();
  }

  NodeView node(String name) {
    return NodeView.read(nodes.getOrDefault(name, JsonObject.EMPTY));
  }

  /** Which of a node's taints evict within disruption budgets. */
  RespectedBudgets respected(String name) {
    return RespectedBudgets.ofNode(Metadata.of(nodes.getOrDefault(name, JsonObject.EMPTY)));
  }

  void changeNode(String name, UnaryOperator<JsonObject> change) {
    JsonObject changed = change.apply(nodes.getOrDefault(name, JsonObject.EMPTY));
    nodes.put(name, changed);
    scheduler.put(NODES, changed);
  }

  /** Takes note that a pod is ready, or is no longer. */
  void setReady(ForecastPod pod, boolean ready, Instant now) {
    if (pod.ready == ready) {
      return;
    }
    pod.ready = ready;
    int by = ready ? 1 : -1;
    pod.workload.ready += by;
    pod.budgets.forEach(budget -> budget.healthy += by);
    if (!ready || pod.workload.low.since != null) {
      pod.workload.low.count(pod.workload.ready, pod.workload.wanted, now);
    }
    for (BudgetTally budget : pod.budgets) {
      if (!ready || budget.low.since != null) {
        budget.low.count(budget.healthy, budget.budget.status().desiredHealthy(), now);
      }
    }
  }
}
