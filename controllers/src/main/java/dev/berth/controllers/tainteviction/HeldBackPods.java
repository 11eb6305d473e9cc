package dev.berth.controllers.tainteviction;

import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.Cache;
import dev.berth.client.informer.Informers;
import dev.berth.model.core.PodView;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pods whose eviction a disruption budget has refused. They try again by themselves, less and
 * less often; when a budget changes, as many of its pods as it now allows try at once, those that
 * wait longest first.
 *
 * <p>Budgets are watched once a node asks for them to be respected. Where they cannot be read, pods
 * try by themselves alone.
 */
final class HeldBackPods implements AutoCloseable {
  private final Informers informers;
  private final Loop loop;

  /** By namespace, in the order in which they were first refused. */
  private final Map<String, Set<TrackedPod>> pods = new HashMap<>();

  private Informers.@Nullable Following budgets;

  HeldBackPods(Informers informers, Loop loop) {
    this.informers = informers;
    this.loop = loop;
  }

  void followBudgets() {
    if (budgets == null) {
      budgets =
          informers.follow(
              ListRequest.of(Resources.POD_DISRUPTION_BUDGETS), loop, new BudgetListener());
    }
  }

  void add(TrackedPod pod) {
    pods.computeIfAbsent(pod.name().namespace(), _ -> new LinkedHashSet<>()).add(pod);
  }

  void remove(TrackedPod pod) {
    if (pods.isEmpty()) {
      // As nearly always.
      return;
    }
    String namespace = pod.name().namespace();
    Set<TrackedPod> others = pods.get(namespace);
    if (others != null && others.remove(pod) && others.isEmpty()) {
      pods.remove(namespace);
    }
  }

  /** Has the pods of a budget try again, so many at most. */
  private void retry(PodDisruptionBudgetView budget, long most) {
    Set<TrackedPod> candidates = pods.getOrDefault(budget.namespace(), Set.of());
    candidates.stream()
        .filter(pod -> pod.eviction != null && budget.selects(PodView.read(pod.tree)))
        .limit(most)
        .toList()
        .forEach(HeldBackPods::retry);
  }

  private static void retry(TrackedPod pod) {
    if (pod.eviction != null) {
      pod.eviction.retryNow();
    }
  }

  private final class BudgetListener implements Cache.Listener {
    @Override
    public void added(JsonObject budget) {
      allows(PodDisruptionBudgetView.read(budget));
    }

    @Override
    public void changed(JsonObject before, JsonObject after) {
      if (pods.isEmpty()) {
        return;
      }
      PodDisruptionBudgetView was = PodDisruptionBudgetView.read(before);
      PodDisruptionBudgetView is = PodDisruptionBudgetView.read(after);
      if (!was.selector().equals(is.selector())) {
        retry(was, Long.MAX_VALUE);
      }
      allows(is);
    }

    private void allows(PodDisruptionBudgetView budget) {
      if (budget.status().disruptionsAllowed() > 0) {
        retry(budget, budget.status().disruptionsAllowed());
      }
    }

    @Override
    public void removed(JsonObject last) {
      retry(PodDisruptionBudgetView.read(last), Long.MAX_VALUE);
    }
  }

  @Override
  public void close() {
    if (budgets != null) {
      budgets.close();
    }
  }
}
