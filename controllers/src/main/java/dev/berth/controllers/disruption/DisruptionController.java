package dev.berth.controllers.disruption;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.controllers.selected.SelectedPods;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.BudgetSync;
import dev.berth.policy.disruption.ControllerScale;
import dev.berth.policy.disruption.CountedPod;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the status of disruption budgets true; {@link BudgetSync} says what it is. The Eviction API
 * trusts that status, and charges it; both write it by comparing and swapping, so what is charged
 * while pods are being counted is counted again.
 *
 * <ol>
 *   <li>A budget that is new or changed is counted at once. One whose pods changed is counted a
 *       moment later, so that many changes cost one write.
 *   <li>Unlike upstream, a budget is counted anew when the replicas of a controller of its pods
 *       change, and not only with the next change of a pod.
 *   <li>A pod whose eviction was allowed counts as gone until it is seen to go. That it has gone is
 *       never unlearnt: a controller that starts again lists pods after its predecessor's last
 *       write, so it cannot take a pod for healthy that was spent before. Nor is an eviction given
 *       back because news of it is late: the server is asked first.
 * </ol>
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class DisruptionController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "disruption-controller";

  private static final int AT_ONCE = 16;
  private static final Duration BATCH = Duration.ofMillis(200);

  /** How soon to ask again for the scale of a controller that is not there. */
  private static final Duration ASK_AGAIN = Duration.ofMinutes(1);

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final BoundedRequests requests;
  private final WorkQueue queue;
  private final BudgetReports reports;
  private final StaleConditions staleConditions;
  private final KnownObjects budgets = new KnownObjects();
  private final Workloads workloads = new Workloads();
  private final Dependents dependents = new Dependents();
  private final SelectedPods<CountedPod> pods;

  private DisruptionController(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.loop = time.start("disruption");
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.queue = new WorkQueue(parts, loop, "disruption", AT_ONCE, this::reconcile);
    this.reports = new BudgetReports(parts, loop);
    this.pods = new SelectedPods<>(CountedPod::read, name -> queue.addAfter(name, BATCH));
    this.staleConditions = new StaleConditions(parts, loop, pods::pod);
    this.informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers
        .on(Resources.POD_DISRUPTION_BUDGETS, this::budgetChanged)
        .on(Resources.PODS, this::podChanged);
    Workloads.HEARD_OF.forEach(resource -> informers.on(resource, this::workloadChanged));
  }

  public static DisruptionController start(ControllerParts parts) {
    DisruptionController controller = new DisruptionController(parts);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    pods.begin();
    budgets.values().forEach(budget -> queue.add(ObjectName.of(budget)));
  }

  private void budgetChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    budgets.changed(before, after);
    if (after == null) {
      if (before != null) {
        ObjectName name = ObjectName.of(before);
        pods.forget(name);
        dependents.set(name, Set.of());
        reports.fine(before);
      }
      return;
    }
    ObjectName name = ObjectName.of(after);
    pods.select(name, PodDisruptionBudgetView.read(after).selector());
    if (informers.isSynced()) {
      boolean specified =
          before == null || Metadata.of(before).generation() != Metadata.of(after).generation();
      queue.addAfter(name, specified ? Duration.ZERO : BATCH);
    }
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    pods.podChanged(before, after);
    if (after != null) {
      staleConditions.consider(after);
    }
  }

  private void workloadChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told != null && workloads.changed(before, after)) {
      dependents.of(Metadata.of(told).uid()).forEach(budget -> queue.addAfter(budget, BATCH));
    }
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    Optional<JsonObject> budget = budgets.get(name);
    if (budget.isEmpty()) {
      item.succeeded();
      return;
    }
    Map<String, OwnerReference> unheardOf = unheardOf(PodDisruptionBudgetView.read(budget.get()));
    if (unheardOf.isEmpty()) {
      count(name, AskedScales.NONE, Optional.empty(), item);
    } else {
      List<OwnerReference> asked = List.copyOf(unheardOf.values());
      requests.run(
          () -> AskedScales.ask(api, name.namespace(), asked),
          answers -> count(name, answers, Optional.empty(), item));
    }
  }

  /** The controllers, by uid, that must be asked for their scales before a budget is counted. */
  private Map<String, OwnerReference> unheardOf(PodDisruptionBudgetView budget) {
    ObjectName name = new ObjectName(budget.namespace(), budget.name());
    Map<String, OwnerReference> unheardOf = new LinkedHashMap<>();
    Set<String> counts = new LinkedHashSet<>();
    if (BudgetSync.needsScales(budget)) {
      for (CountedPod pod : pods.of(name)) {
        OwnerReference controller = pod.controller();
        if (controller != null && counts.add(controller.uid())) {
          counts.add(workloads.managerOf(controller.uid()));
          if (!Workloads.isHeardOf(controller)) {
            unheardOf.put(controller.uid(), controller);
          }
        }
      }
    }
    dependents.set(name, counts);
    return unheardOf;
  }

  /**
   * Counts the pods of a budget, and writes what comes out.
   *
   * @param confirmed names of doubtful pods that are still there; empty if nobody has asked yet
   */
  private void count(
      ObjectName name, AskedScales asked, Optional<Set<String>> confirmed, WorkQueue.Item item) {
    Optional<JsonObject> held = budgets.get(name);
    if (held.isEmpty()) {
      item.succeeded();
      return;
    }
    JsonObject budget = held.get();
    PodDisruptionBudgetView view = PodDisruptionBudgetView.read(budget);
    List<CountedPod> selected = List.copyOf(pods.of(name));
    Map<String, ControllerScale> scales = new HashMap<>(asked.scales());
    if (BudgetSync.needsScales(view)) {
      for (CountedPod pod : selected) {
        OwnerReference controller = pod.controller();
        if (controller != null && !scales.containsKey(controller.uid())) {
          workloads.scale(controller.uid()).ifPresent(scale -> scales.put(controller.uid(), scale));
        }
      }
    }
    BudgetSync sync = BudgetSync.of(view, selected, scales, confirmed.orElse(Set.of()), time.now());
    if (confirmed.isEmpty()
        && sync instanceof BudgetSync.Counted counted
        && !counted.doubtfulPods().isEmpty()) {
      List<String> doubtful = counted.doubtfulPods();
      requests.run(
          () -> stillThere(name.namespace(), doubtful),
          there -> count(name, asked, Optional.of(there), item));
      return;
    }
    report(budget, view, selected, sync);
    JsonObject status = sync.status().placeIn(budget.object("status"));
    if (sync.status().equals(view.status()) || status.equals(budget.object("status"))) {
      counted(name, sync, asked, item);
      return;
    }
    requests.run(
        () -> api.updateStatus(Resources.POD_DISRUPTION_BUDGETS, budget.with("status", status)),
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject written) -> {
              budgets.written(written);
              counted(name, sync, asked, item);
            }
            case ApiResult.Failure why when why.isNotFound() -> item.succeeded();
            case ApiResult.Failure why -> {
              reports.notWritten(name, why);
              item.failed();
            }
          }
        });
  }

  /** Which of these pods are there and stay; those of which the server says nothing are not. */
  private Set<String> stillThere(String namespace, List<String> names) {
    Set<String> there = new LinkedHashSet<>();
    for (String name : names) {
      if (api.get(Resources.PODS, new ObjectName(namespace, name))
              instanceof ApiResult.Done(JsonObject pod)
          && !Metadata.of(pod).isBeingDeleted()) {
        there.add(name);
      }
    }
    return there;
  }

  private void report(
      JsonObject budget, PodDisruptionBudgetView view, List<CountedPod> selected, BudgetSync sync) {
    switch (sync) {
      case BudgetSync.Failed(var _, String message) -> reports.notCounted(budget, message);
      case BudgetSync.Counted counted -> {
        if (selected.isEmpty()) {
          reports.noPods(budget);
        } else if (!counted.unmanagedPods().isEmpty()) {
          reports.unmanaged(budget, view);
        } else {
          reports.fine(budget);
        }
      }
    }
  }

  /** The status is as it should be; what is left is to check again when it is time. */
  private void counted(ObjectName name, BudgetSync sync, AskedScales asked, WorkQueue.Item item) {
    if (!asked.isComplete()) {
      item.failed();
      return;
    }
    item.succeeded();
    switch (sync) {
      case BudgetSync.Failed _ -> queue.addAfter(name, ASK_AGAIN);
      case BudgetSync.Counted counted -> {
        for (String pod : counted.notDeletedPods()) {
          pods.pod(new ObjectName(name.namespace(), pod))
              .ifPresent(tree -> reports.notDeleted(tree, name));
        }
        counted.recheck().ifPresent(due -> addAt(name, due));
      }
    }
  }

  private void addAt(ObjectName name, Instant due) {
    Duration delay = Duration.between(time.now(), due);
    queue.addAfter(name, delay.isNegative() ? Duration.ZERO : delay);
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
