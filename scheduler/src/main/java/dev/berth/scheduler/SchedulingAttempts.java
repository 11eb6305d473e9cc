package dev.berth.scheduler;

import dev.berth.client.ApiResult;
import dev.berth.model.core.PodView;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.SchedulerMetrics.Result;
import dev.berth.scheduler.SchedulerMetrics.Stage;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.device.DevicePlan;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.decision.Decider;
import dev.berth.scheduler.decision.Decision;
import dev.berth.scheduler.decision.Diagnosis;
import dev.berth.scheduler.decision.PodFilters;
import dev.berth.scheduler.message.EventText;
import dev.berth.scheduler.message.FailureMessage;
import dev.berth.scheduler.message.PodScheduled;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.preemption.Preemption;
import dev.berth.scheduler.preemption.PreemptionDecision;
import dev.berth.scheduler.preemption.PreemptionDecision.Preempt;
import dev.berth.scheduler.queue.QueuePart;
import dev.berth.scheduler.queue.QueuedPod;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Schedules pods, one after the other: decides on the cluster as it is known now, assumes the pod
 * on the node that was chosen, and has it bound while the next one is scheduled.
 *
 * <ol>
 *   <li>A pod is assumed on its node from the decision until it is seen there or the server has
 *       refused the binding, so that no resources are given twice.
 *   <li>A server that does not answer may have bound the pod: it stays assumed, and the same
 *       binding is sent again until there is an answer. A conflict says that the pod has changed;
 *       then it is read, to see whether it is bound to this node.
 *   <li>If the node went or changed after the decision, before the binding is sent, the filters are
 *       run again; if they refuse it now, the pod is scheduled anew.
 *   <li>For an unschedulable pod others are preempted, if that helps, and it waits.
 * </ol>
 */
final class SchedulingAttempts {
  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Loop loop;
  private final Time time;
  private final SchedulerState state;
  private final PodWriter writer;
  private final SchedulerEvents events;
  private final SchedulerMetrics metrics;
  private final Runnable ended;
  private final Preemption preemption;
  private final PreemptionExecutor executor;
  private final ClaimBinding claims;
  private final DeviceBinding devices;
  private final Map<String, Decider> deciders = new HashMap<>();

  /**
   * @param ended run whenever an attempt has ended, since another may begin then
   */
  SchedulingAttempts(
      Loop loop,
      Time time,
      SchedulerState state,
      PodWriter writer,
      SchedulerEvents events,
      SchedulerMetrics metrics,
      DeviceBinding devices,
      Runnable ended) {
    this.loop = loop;
    this.time = time;
    this.state = state;
    this.writer = writer;
    this.events = events;
    this.metrics = metrics;
    this.ended = ended;
    Cluster cluster = state.cluster();
    this.preemption = new Preemption(cluster, state.budgets());
    this.executor = new PreemptionExecutor(time, state, writer, events, ended);
    this.claims = new ClaimBinding(loop, cluster, writer);
    this.devices = devices;
    for (String name : state.profiles().schedulerNames()) {
      Profile profile = profile(name);
      deciders.put(name, new Decider(cluster, profile, time.random("scheduler " + name)));
    }
  }

  private Profile profile(String schedulerName) {
    Profile profile = state.profiles().find(schedulerName);
    if (profile == null) {
      throw new IllegalStateException("There is no profile " + schedulerName);
    }
    return profile;
  }

  void attempt(QueuedPod next) {
    Instant began = time.monotonicNow();
    String schedulerName = next.pod().view().spec().schedulerName();
    Decider decider = deciders.get(schedulerName);
    if (decider == null) {
      throw new IllegalStateException("The queue holds pods of known schedulers only.");
    }
    Decision decision = decider.decide(next.pod());
    metrics.took(Stage.DECIDE, Duration.between(began, time.monotonicNow()));
    switch (decision) {
      case Decision.Placed placed -> place(next, placed.node(), began);
      case Decision.Unschedulable(Diagnosis diagnosis) ->
          reportUnschedulable(next, diagnosis, began);
    }
  }

  private void place(QueuedPod next, int node, Instant began) {
    Cluster cluster = state.cluster();
    String name = cluster.node(node).name();
    Profile profile = profile(schedulerName(next.pod()));
    DevicePlan plan = devices.reserve(next.pod(), node, profile);
    Binding binding = new Binding(next, cluster.node(node), profile, plan, began);
    boolean waits =
        claims.begin(next.pod(), node, profile, problem -> claimsEnded(binding, problem));
    state.placements().assume(next.pod(), name);
    state.nominations().placed(next.pod(), name);
    if (!waits) {
      bindDevices(binding);
    }
  }

  private void claimsEnded(Binding binding, String problem) {
    if (problem.isEmpty()) {
      bindDevices(binding);
    } else {
      fail(binding, "binding volumes: " + problem);
      ended.run();
    }
  }

  private void bindDevices(Binding binding) {
    if (binding.devices().isEmpty()) {
      bind(binding);
      return;
    }
    devices.begin(
        binding.pod(),
        binding.devices(),
        binding.profile(),
        problem -> {
          if (problem.isEmpty()) {
            bind(binding);
          } else {
            fail(binding, problem);
            ended.run();
          }
        });
  }

  /** A claim or a volume has changed. */
  void claimsChanged() {
    claims.changed();
    devices.changed();
  }

  /** A pod that is assumed on a node, and the node as it was when that was decided. */
  private record Binding(
      QueuedPod queued, NodeInfo node, Profile profile, DevicePlan devices, Instant began) {
    PodInfo pod() {
      return queued.pod();
    }
  }

  private void bind(Binding binding) {
    bind(binding, () -> confirmOrRetry(binding));
  }

  private void bind(Binding binding, BooleanSupplier confirm) {
    Instant handedOver = time.monotonicNow();
    writer.bind(
        binding.pod(),
        binding.node().name(),
        confirm,
        result -> {
          metrics.took(Stage.BIND, Duration.between(handedOver, time.monotonicNow()));
          bound(binding, result);
          ended.run();
        });
  }

  /**
   * Checks a node once more if it has changed since the decision. If it is no longer feasible, the
   * pod is put back into the queue, to be scheduled anew, and the answer is false.
   */
  @SuppressWarnings("ReferenceEquality") // The cluster holds one object per revision of a node.
  private boolean confirmOrRetry(Binding binding) {
    if (!isStillAssumed(binding)) {
      return false;
    }
    Cluster cluster = state.cluster();
    int index = cluster.indexOf(binding.node().name());
    if (index >= 0 && cluster.node(index) == binding.node()) {
      return true;
    }
    state.placements().forgetAssumed(binding.pod());
    if (index >= 0
        && new PodFilters(binding.profile(), binding.pod(), cluster).refusal(index) == null) {
      state.placements().assume(binding.pod(), binding.node().name());
      return true;
    }
    retry(binding.pod());
    state.queue().activate(binding.pod().uid(), time.monotonicNow());
    ended.run();
    return false;
  }

  /** False, and the end of it, if the pod is gone meanwhile or was seen on a node. */
  private boolean isStillAssumed(Binding binding) {
    String uid = binding.pod().uid();
    if (state.placements().isAssumed(uid)) {
      return true;
    }
    state.queue().done(uid);
    ended.run();
    return false;
  }

  private void bound(Binding binding, ApiResult result) {
    PodInfo pod = binding.pod();
    switch (result) {
      case ApiResult.Done _ -> {
        state.queue().done(pod.uid());
        Instant now = time.monotonicNow();
        events.record(pod, EventText.scheduled(pod.name(), binding.node().name()));
        metrics.attempted(
            schedulerName(pod), Result.SCHEDULED, Duration.between(binding.began(), now));
        metrics.placed(Duration.between(binding.queued().arrived(), now));
      }
      case ApiResult.Unreachable _ ->
          loop.after(RETRY_AFTER, () -> bind(binding, () -> isStillAssumed(binding)));
      case ApiResult.Refused refused -> notBound(binding, refused);
    }
  }

  private void notBound(Binding binding, ApiResult.Refused refused) {
    if (refused.isNotFound()) {
      forget(binding);
      state.queue().done(binding.pod().uid());
    } else if (refused.isConflict() || refused.mayBeDone()) {
      readPod(binding, refused);
    } else {
      fail(binding, notBound(binding, refused.message()));
    }
  }

  private static String notBound(Binding binding, String why) {
    return "binding to " + binding.node().name() + ": " + why;
  }

  /**
   * Somebody else has changed this pod, or we ourselves when no answer came or the server failed
   * after it had written: what is bound counts on its node.
   */
  private void readPod(Binding binding, ApiResult.Refused why) {
    writer.read(
        binding.pod(),
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject pod) -> conflict(binding, PodView.read(pod), why);
            case ApiResult.Refused refused when refused.isNotFound() -> notBound(binding, refused);
            case ApiResult.Failure _ -> loop.after(RETRY_AFTER, () -> readPod(binding, why));
          }
          ended.run();
        });
  }

  private void conflict(Binding binding, PodView now, ApiResult.Refused why) {
    PodInfo pod = binding.pod();
    boolean isSamePod = now.uid().equals(pod.uid());
    if (isSamePod && now.spec().nodeName().equals(binding.node().name())) {
      // It is bound; it stays assumed until that is seen.
      state.queue().done(pod.uid());
      return;
    }
    boolean waits = isSamePod && now.spec().nodeName().isEmpty() && !now.terminating();
    if (waits && !why.isConflict()) {
      fail(binding, notBound(binding, why.message()));
      return;
    }
    forget(binding);
    if (waits) {
      retry(pod);
    } else {
      state.queue().done(pod.uid());
    }
  }

  /** Forgets that a pod was assumed, reports why it is not bound, and has it tried again. */
  private void fail(Binding binding, String message) {
    PodInfo pod = binding.pod();
    forget(binding);
    events.record(pod, EventText.failedScheduling(message));
    writer.report(pod, PodScheduled.schedulerError(message), null);
    retry(pod);
  }

  /** Has a pod that was not bound tried again; a node that was kept for it is kept further on. */
  private void retry(PodInfo pod) {
    if (state.queue().part(pod.uid()) == QueuePart.IN_FLIGHT) {
      state.nominations().nominate(pod, writer.nominatedNode(pod));
      state.queue().putBack(pod, Set.of(), time.monotonicNow());
    }
  }

  private void forget(Binding binding) {
    PodInfo pod = binding.pod();
    Instant now = time.monotonicNow();
    state.placements().forgetAssumed(pod);
    if (!binding.devices().isEmpty()) {
      devices.release(pod, binding.devices());
    }
    state.queue().handle(new PodEvent(ClusterEventKind.POD_GONE, pod, null), now);
    metrics.attempted(schedulerName(pod), Result.ERROR, Duration.between(binding.began(), now));
  }

  private void reportUnschedulable(QueuedPod next, Diagnosis diagnosis, Instant began) {
    PodInfo pod = next.pod();
    String schedulerName = schedulerName(pod);
    String claimed = devices.deallocate(pod, profile(schedulerName));
    PreemptionDecision made = null;
    if (state.profiles().preempts(schedulerName)) {
      Instant before = time.monotonicNow();
      made = preemption.decide(pod, profile(schedulerName));
      metrics.took(Stage.PREEMPT, Duration.between(before, time.monotonicNow()));
    }
    Instant now = time.monotonicNow();
    String afterwards =
        Stream.of(claimed, made == null ? "" : made.message())
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    String message = FailureMessage.of(diagnosis, afterwards);
    events.record(pod, EventText.failedScheduling(message));
    writer.report(pod, PodScheduled.unschedulable(message), nomination(made));
    metrics.attempted(schedulerName, Result.UNSCHEDULABLE, Duration.between(began, now));
    if (made instanceof Preempt preempt) {
      metrics.preempted(preempt.victims().size());
      executor.execute(preempt, pod, diagnosis.plugins());
      return;
    }
    if (made instanceof PreemptionDecision.NoHelp) {
      state.nominations().clear(pod);
    }
    state.queue().putBack(pod, diagnosis.plugins(), now);
  }

  /** The new {@code nominatedNodeName} of the pod; null if it does not change. */
  private static @Nullable String nomination(@Nullable PreemptionDecision made) {
    return switch (made) {
      case null -> null;
      case Preempt preempt -> preempt.node();
      case PreemptionDecision.NotEligible _ -> null;
      case PreemptionDecision.NoHelp _ -> "";
    };
  }

  private static String schedulerName(PodInfo pod) {
    return pod.view().spec().schedulerName();
  }
}
