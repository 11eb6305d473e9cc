package dev.berth.controllers.tainteviction;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PodWrites;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.RetryingRequests;
import dev.berth.model.core.Condition;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.taint.CountdownStart;
import dev.berth.policy.taint.EvictionTime;
import dev.berth.policy.taint.RespectedBudgets;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Decides when each pod leaves, and makes it leave. A pod that may stay has nothing here; one that
 * leaves later has a deadline; one that leaves now waits in a queue, and is then tried until it is
 * gone or may stay. One that a disruption budget holds back is tried again when the budget changes,
 * now and then, and when budgets are no longer asked.
 */
final class Evictions implements AutoCloseable {
  /** Enough that the commits of a store are shared by many. */
  private static final int AT_ONCE = 64;

  /** How many may have been handed over for being evicted; the others wait here. */
  private static final int MOST_SENT = 1_000;

  /** Behind so many events that are still to be written, nobody else is evicted. */
  private static final int MOST_EVENTS = 8_000;

  private static final Duration SOON = Duration.ofMillis(20);

  private static final JsonObject CONDITION =
      Conditions.condition(
          Condition.DISRUPTION_TARGET,
          Conditions.TRUE,
          "DeletionByTaintManager",
          "Taint manager: deleting due to NoExecute taint");

  private final Api api;
  private final Loop loop;
  private final Time time;
  private final TolerationRules rules;
  private final EvictionReports reports;
  private final RetryingRequests retrying;
  private final Deadlines deadlines;
  private final HeldBackPods heldBack;
  private final Deque<TrackedPod> queue = new ArrayDeque<>();
  private boolean sendsSoon;

  Evictions(ControllerParts parts, Loop loop, TolerationRules rules) {
    this.api = parts.api();
    this.loop = loop;
    this.time = parts.time();
    this.rules = rules;
    this.reports = new EvictionReports(parts, loop);
    this.retrying = new RetryingRequests(loop, time, AT_ONCE);
    this.deadlines = new Deadlines(loop, time, this::due);
    this.heldBack = new HeldBackPods(parts.informers(), loop);
  }

  /** A node's annotation has changed, which says what its taints respect. */
  void annotationChanged(TrackedNode node) {
    if (node.tree != null
        && RespectedBudgets.read(node.annotation) instanceof RespectedBudgets.Invalid(String why)) {
      reports.ignores(node.tree, why);
    }
    if (!node.respected.equals(RespectedBudgets.NONE)) {
      heldBack.followBudgets();
    }
  }

  /** A pod's node has changed, which may have a pod go that was held back. */
  void nodeChanged(TrackedPod pod) {
    if (pod.eviction != null && pod.heldBack) {
      pod.eviction.retryNow();
    }
    consider(pod);
  }

  /** A pod's toleration has run out, or the time for which budgets may hold it back. */
  private void due(TrackedPod pod) {
    if (pod.eviction != null) {
      pod.eviction.retryNow();
    }
    consider(pod);
  }

  /** Decides anew about a pod: it, its node or the time has changed. */
  void consider(TrackedPod pod) {
    if (pod.evicted || pod.gone) {
      return;
    }
    if (pod.eviction != null) {
      pod.eviction.changed();
    }
    Instant now = time.now();
    switch (decide(pod, now)) {
      case EvictionTime.Never _ -> spare(pod);
      case EvictionTime.At(Instant due, Taint _) when due.isAfter(now) -> {
        if (stop(pod)) {
          takeBack(pod);
          deadlines.set(pod, due);
        }
      }
      case EvictionTime.At(Instant due, Taint _) -> evict(pod, due);
      case EvictionTime.Immediately _ -> evict(pod, now);
    }
  }

  /** Forgets a pod that is no more. */
  void forget(TrackedPod pod) {
    pod.gone = true;
    deadlines.clear(pod);
    stop(pod);
  }

  private EvictionTime decide(TrackedPod pod, Instant now) {
    List<Taint> taints = pod.node.taints;
    if (taints.isEmpty()) {
      // As nearly always.
      return new EvictionTime.Never();
    }
    PodTree tree = new PodTree(pod.tree);
    return EvictionTime.of(tree, CountdownStart.ofPod(tree, pod.seen), taints, rules, now);
  }

  private void spare(TrackedPod pod) {
    boolean promised = pod.isPromised();
    deadlines.clear(pod);
    if (stop(pod) && promised) {
      pod.announced = false;
      // Whoever ends anyway, or goes with its node, is not spared.
      if (!pod.isEnding() && pod.node.tree != null) {
        reports.cancelled(pod);
      }
    }
  }

  /** Takes back what an event has said, if one has. */
  private void takeBack(TrackedPod pod) {
    if (pod.announced) {
      pod.announced = false;
      reports.cancelled(pod);
    }
  }

  /** Stops a pod's eviction, unless a request for it is under way. */
  private boolean stop(TrackedPod pod) {
    pod.waits = false;
    if (pod.eviction != null && pod.eviction.cancel()) {
      ended(pod);
    }
    return pod.eviction == null;
  }

  /** A pod's eviction is no longer tried. */
  private void ended(TrackedPod pod) {
    pod.eviction = null;
    pod.heldBack = false;
    heldBack.remove(pod);
  }

  private void evict(TrackedPod pod, Instant due) {
    if (pod.eviction != null || pod.waits) {
      return;
    }
    deadlines.clear(pod);
    pod.waits = true;
    pod.due = due;
    queue.add(pod);
    sendSoon(Duration.ZERO);
  }

  private void sendSoon(Duration delay) {
    if (!sendsSoon && !queue.isEmpty()) {
      sendsSoon = true;
      loop.after(
          delay,
          () -> {
            sendsSoon = false;
            send();
          });
    }
  }

  /** Hands over as many as the server and the events keep up with. */
  private void send() {
    while (!queue.isEmpty()) {
      if (retrying.size() >= MOST_SENT) {
        // The next one that ends brings us back here.
        return;
      }
      if (reports.waiting() >= MOST_EVENTS) {
        sendSoon(SOON);
        return;
      }
      TrackedPod pod = queue.remove();
      if (pod.waits) {
        pod.waits = false;
        RetryingRequests.RetryingRequest eviction = retrying.make(new Eviction(pod));
        pod.eviction = eviction;
        eviction.begin();
      }
    }
  }

  /** The eviction of one pod. */
  private final class Eviction implements RetryingRequests.Task {
    private final TrackedPod pod;

    /** Until when budgets may hold the pod back. */
    private Instant until = Instant.MIN;

    /** Whether they are asked by the next request, and were by the one before. */
    private boolean asksBudgets;

    private boolean askedBudgets;

    Eviction(TrackedPod pod) {
      this.pod = pod;
    }

    @Override
    public Optional<Supplier<ApiResult>> next() {
      Instant now = time.now();
      return switch (decide(pod, now)) {
        case EvictionTime.Never _ -> drop();
        case EvictionTime.At(Instant due, Taint _) when due.isAfter(now) -> drop();
        case EvictionTime.At(Instant _, Taint taint) -> request(taint, now);
        case EvictionTime.Immediately(Taint taint) -> request(taint, now);
      };
    }

    private Optional<Supplier<ApiResult>> drop() {
      sendSoon(Duration.ZERO);
      ended(pod);
      consider(pod);
      return Optional.empty();
    }

    private Optional<Supplier<ApiResult>> request(Taint taint, Instant now) {
      if (pod.gone) {
        return drop();
      }
      if (!pod.announced) {
        pod.announced = true;
        reports.evicts(pod, taint);
      }
      JsonObject seen = pod.tree;
      until = holdBackUntil(now);
      askedBudgets = asksBudgets;
      asksBudgets = until.isAfter(now);
      if (asksBudgets) {
        DeleteOptions asSeen = DeleteOptions.NONE.onlyRevision(Metadata.of(seen).resourceVersion());
        return Optional.of(() -> PodWrites.evict(api, seen, asSeen));
      }
      return Optional.of(
          () -> PodWrites.explainAndDeleteAsSeen(api, seen, CONDITION, DeleteOptions.NONE, now));
    }

    private Instant holdBackUntil(Instant now) {
      TrackedNode node = pod.node;
      PodTree tree = new PodTree(pod.tree);
      return node.respected.holdBackUntil(
          tree, CountdownStart.ofPod(tree, pod.seen), node.taints, rules, now);
    }

    @Override
    public void done() {
      deadlines.clear(pod);
      ended(pod);
      pod.evicted = true;
      reports.evicted(Duration.between(pod.due, time.now()));
      sendSoon(Duration.ZERO);
    }

    @Override
    public void failed(ApiResult.Failure why, Duration delay) {
      Optional<String> budget =
          why instanceof ApiResult.Refused(ApiError error)
              ? error.budgetRefusal()
              : Optional.empty();
      if (budget.isEmpty()) {
        reports.failed(pod, why, delay);
      } else {
        heldBack.add(pod);
        if (!pod.heldBack) {
          pod.heldBack = true;
          reports.heldBack(pod, budget.get(), until);
        }
      }
      if (askedBudgets) {
        // However long it waits before it asks again.
        deadlines.set(pod, until);
      }
      sendSoon(Duration.ZERO);
    }
  }

  @Override
  public void close() {
    heldBack.close();
  }
}
