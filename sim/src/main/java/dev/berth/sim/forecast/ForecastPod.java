package dev.berth.sim.forecast;

import dev.berth.model.core.PodTree;
import dev.berth.model.core.PodView;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pod on its way through a forecast. */
final class ForecastPod {
  final ObjectName name;
  final JsonObject tree;
  final Workloads.Tally workload;
  final List<BudgetTally> budgets;

  /** The node that it is on; empty while it has none. */
  String node = "";

  boolean ready;
  boolean terminating;
  boolean gone;

  /** When it was asked to leave, and why; null and empty if it was not. */
  @Nullable Instant leftAt;

  String because = "";

  /** What came in its place; null if nothing did. */
  @Nullable ForecastPod successor;

  /** What a budget said when it last held the pod back. */
  String heldBack = "";

  /** Why the scheduler has not placed it; empty if it has, or was not asked. */
  String unschedulable = "";

  @Nullable Instant placedAt;

  ForecastPod(
      ObjectName name, JsonObject tree, Workloads.Tally workload, List<BudgetTally> budgets) {
    this.name = name;
    this.tree = tree;
    this.workload = workload;
    this.budgets = budgets;
  }

  PodTree pod() {
    return new PodTree(tree);
  }

  /** The kind of what manages it; empty if nothing does. */
  String controllerKind() {
    return pod().metadata().controller().map(OwnerReference::kind).orElse("");
  }

  /** The pod as an eviction request sees it now. */
  PodView view() {
    PodView view = PodView.read(tree);
    return new PodView(
        view.namespace(),
        view.name(),
        view.uid(),
        view.labels(),
        view.annotations(),
        view.controller(),
        view.creationTimestamp(),
        terminating ? Instant.EPOCH : null,
        view.spec(),
        view.phase(),
        ready,
        view.conditions());
  }
}
