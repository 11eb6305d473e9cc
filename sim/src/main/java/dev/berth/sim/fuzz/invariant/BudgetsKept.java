package dev.berth.sim.fuzz.invariant;

import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * N4: evictions through the API never take more pods of a workload than its budget lets be
 * unavailable. Pods are lost by other causes as well, which no budget can prevent. So what counts
 * are the pods that evictions took and nobody has replaced: each eviction adds one, and they are
 * never more than the ready pods that the workload lacks.
 *
 * <p>What a workload that is scaled down has too much may be evicted. That its pods were deleted
 * instead, the budget's status says only later, and until then evictions are allowed in their
 * place: no server can know better, so those are not counted.
 */
public final class BudgetsKept implements Invariant {
  private static final String EVICTED = "EvictionByEvictionAPI";

  /** The evicted pods that were not replaced, by the workload's name. */
  private final Map<String, Integer> missing = new HashMap<>();

  @Override
  public String words() {
    return "disruption budgets are kept";
  }

  @Override
  public Optional<String> changed(StoreChange change, ClusterState state) {
    return switch (change.resource()) {
      case ClusterState.PODS -> podChanged(change, state);
      case ClusterState.DEPLOYMENTS, ClusterState.STATEFUL_SETS -> {
        if (replicas(change.before()) != replicas(change.after())) {
          missing.remove(change.name().name());
        }
        yield Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  private Optional<String> podChanged(StoreChange change, ClusterState state) {
    boolean before = isAvailable(change.before());
    boolean after = isAvailable(change.after());
    if (before == after) {
      return Optional.empty();
    }
    String app = Metadata.of(change.latest()).labels().text("app", "");
    JsonObject budget = state.find(ClusterState.BUDGETS, new ObjectName("default", app));
    JsonObject workload = workload(app, state);
    if (budget == null || workload == null) {
      return Optional.empty();
    }
    // A workload that was scaled down has more pods than it is to have until some are deleted.
    long ready = state.podsOf(app).stream().filter(pod -> isAvailable(pod.tree())).count();
    int lacks = (int) Math.max(0, replicas(workload) - ready);
    if (after) {
      missing.computeIfPresent(app, (_, count) -> Math.min(count, lacks));
      return Optional.empty();
    }
    if (change.after() == null || !isEvicted(change.after())) {
      return Optional.empty();
    }
    int taken = Math.min(missing.getOrDefault(app, 0) + 1, lacks);
    missing.put(app, taken);
    long allowed = budget.object("spec").integer("maxUnavailable").orElse(Long.MAX_VALUE);
    return taken > allowed + surplusGone(budget.object("status"), ready)
        ? Optional.of(
            "%s was evicted by %s, which makes %d evicted pods of %s that were not replaced; its budget lets %d be unavailable"
                .formatted(change.name(), change.sender(), taken, app, allowed))
        : Optional.empty();
  }

  /** How many pods beyond those wanted a budget's status still counts that are gone. */
  private static long surplusGone(JsonObject status, long ready) {
    long healthy = status.integer("currentHealthy").orElse(0);
    long surplus = healthy - status.integer("expectedPods").orElse(0);
    long gone = healthy - ready - status.object("disruptedPods").size();
    return Math.max(0, Math.min(surplus, gone));
  }

  private static @Nullable JsonObject workload(String app, ClusterState state) {
    ObjectName name = new ObjectName("default", app);
    JsonObject deployment = state.find(ClusterState.DEPLOYMENTS, name);
    return deployment == null ? state.find(ClusterState.STATEFUL_SETS, name) : deployment;
  }

  private static long replicas(@Nullable JsonObject workload) {
    return workload == null ? -1 : workload.object("spec").integer("replicas").orElse(1);
  }

  private static boolean isAvailable(@Nullable JsonObject tree) {
    return tree != null && new PodTree(tree).ready() && !new PodTree(tree).terminating();
  }

  private static boolean isEvicted(JsonObject pod) {
    return new PodTree(pod).terminating()
        && Conditions.find(pod.object("status").array("conditions"), "DisruptionTarget")
            .filter(condition -> condition.text("reason", "").equals(EVICTED))
            .isPresent();
  }
}
