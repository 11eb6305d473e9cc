package dev.berth.sim.forecast;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.PodTree;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.Eviction;
import dev.berth.policy.taint.EvictionTime;
import dev.berth.policy.taint.RespectedBudgets;
import dev.berth.policy.taint.TaintChange;
import dev.berth.scheduler.whatif.WhatIfScheduler;
import dev.berth.sim.snapshot.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Follows what an action leads to, event by event, with the rules that controllers and scheduler
 * decide by:
 *
 * <ol>
 *   <li>A pod is evicted when its {@link EvictionTime} says so; it ends within its grace period,
 *       unless its node is lost, where nobody ends it.
 *   <li>A pod of a ReplicaSet or a Job is replaced as soon as it is asked to leave, one of a
 *       StatefulSet once it is gone, one of a DaemonSet not while its node is tainted; a bare pod
 *       never is.
 *   <li>Replacements are scheduled in the order in which they come, and wait for what others free
 *       if no node takes them.
 *   <li>A lost node's pods are not ready from when it is found to be lost; its taint comes at its
 *       zone's rate ({@link LossTimes}).
 *   <li>A drain asks the budgets ({@link Eviction}), and so does a taint where its node's
 *       annotation says so ({@link RespectedBudgets}).
 * </ol>
 */
final class ForecastRun {
  private static final long USUAL_GRACE = 30;
  private static final Duration DRAIN_RETRY = Duration.ofSeconds(5);

  /**
   * Where pods go round in circles, between nodes that they tolerate for a while, it is cut off.
   */
  private static final int MOST_EVENTS = 2_000_000;

  private final ForecastSettings settings;
  private final Instant begin;
  private final Instant end;
  final ForecastState state;

  /** When nodes are lost and emptied; null if none is. */
  @Nullable LossTimes losses;

  private final Map<String, Instant> renewed = new HashMap<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparingLong(Event::number));
  private final ForecastScheduling scheduling;
  private final Set<String> lost = new HashSet<>();

  /** The pods that budgets hold back from leaving because of a taint. */
  private final Map<ForecastPod, Due> heldBack = new LinkedHashMap<>();

  private Instant now;
  private long numbers;
  private int created;
  private int retries;

  /** Something that happens. */
  private record Event(Instant at, long number, Runnable action) {}

  ForecastRun(ClusterSnapshot snapshot, ForecastSettings settings, RandomGenerator random) {
    this.settings = settings;
    this.begin = snapshot.takenAt();
    this.now = begin;
    this.end = begin.plus(settings.horizon());
    this.state = new ForecastState(snapshot, new WhatIfScheduler(settings.scheduler(), random));
    this.scheduling = new ForecastScheduling(state, this::placed, this::preempted);
    for (JsonObject lease : snapshot.list("leases.coordination.k8s.io")) {
      String time = lease.object("spec").text("renewTime", "");
      if (!time.isEmpty()) {
        renewed.put(ObjectName.of(lease).name(), Instant.parse(time));
      }
    }
  }

  /** The pods that are on the nodes when it begins, and whatever becomes of them. */
  List<ForecastPod> run(ForecastAction action) {
    List<ForecastPod> concerned = new ArrayList<>();
    action.nodes().forEach(node -> concerned.addAll(state.on(node)));
    switch (action) {
      case ForecastAction.AddTaint(List<String> nodes, Taint taint) ->
          nodes.forEach(node -> taint(node, taint));
      case ForecastAction.Cordon(List<String> nodes) -> nodes.forEach(this::cordon);
      case ForecastAction.Drain(List<String> nodes) -> {
        nodes.forEach(this::cordon);
        drain(new ArrayList<>(nodes));
      }
      case ForecastAction.Lose(List<String> nodes) -> lose(nodes);
    }
    scheduling.run();
    for (int count = 0; !events.isEmpty() && count < MOST_EVENTS; count++) {
      Event event = events.poll();
      if (event.at.isAfter(end)) {
        break;
      }
      now = event.at;
      event.action.run();
      Event next = events.peek();
      if (next == null || next.at.isAfter(now)) {
        scheduling.run();
      }
    }
    return concerned;
  }

  private void at(Instant time, Runnable action) {
    events.add(new Event(time.isBefore(now) ? now : time, numbers++, action));
  }

  // What is done to nodes.

  private void taint(String node, Taint taint) {
    addTaint(node, taint);
    if (taint.effect() == TaintEffect.NO_EXECUTE) {
      NodeView view = state.node(node);
      List.copyOf(state.on(node)).forEach(pod -> awaitEviction(pod, view, begin));
    }
  }

  private void addTaint(String node, Taint taint) {
    TaintChange change = new TaintChange(List.of(taint), List.of());
    state.changeNode(
        node,
        tree ->
            tree.update(
                "spec", spec -> spec.with("taints", change.applyTo(spec.array("taints"), now))));
  }

  private void cordon(String node) {
    state.changeNode(node, tree -> tree.update("spec", spec -> spec.with("unschedulable", true)));
    addTaint(node, Taint.of(WellKnownTaints.UNSCHEDULABLE, TaintEffect.NO_SCHEDULE));
  }

  private void lose(List<String> nodes) {
    LossTimes times =
        LossTimes.of(state.nodeViews(), Set.copyOf(nodes), renewed, settings.lifecycle(), begin);
    losses = times;
    lost.addAll(nodes);
    times
        .lost()
        .forEach((node, time) ->
            at(
                time,
                () -> {
                  addTaint(node, Taint.of(WellKnownTaints.UNREACHABLE, TaintEffect.NO_SCHEDULE));
                  state.on(node).forEach(pod -> state.setReady(pod, false, now));
                }));
    times
        .tainted()
        .forEach((node, time) ->
            at(
                time,
                () -> {
                  addTaint(node, Taint.of(WellKnownTaints.UNREACHABLE, TaintEffect.NO_EXECUTE));
                  NodeView view = state.node(node);
                  List.copyOf(state.on(node)).forEach(pod -> awaitEviction(pod, view, begin));
                }));
  }

  /** Has a pod leave when its tolerations of its node's taints run out. */
  private void awaitEviction(ForecastPod pod, NodeView node, Instant arrived) {
    if (pod.terminating) {
      return;
    }
    switch (EvictionTime.of(
        pod.pod(), arrived, node.taints(), settings.scheduler().gates().tolerations(), now)) {
      case EvictionTime.Never _ -> {}
      case EvictionTime.Immediately(Taint taint) ->
          at(now, () -> evict(new Due(pod, arrived, true, taint + " not tolerated")));
      case EvictionTime.At(Instant time, Taint taint) ->
          at(time, () -> evict(new Due(pod, arrived, false, taint + " no longer tolerated")));
    }
  }

  /**
   * A pod that has to leave because of a taint.
   *
   * @param atOnce whether it does not tolerate it at all
   */
  private record Due(ForecastPod pod, Instant arrived, boolean atOnce, String because) {}

  /** Asks the budgets first where the node's annotation says so, and for as long as it says. */
  private void evict(Due due) {
    ForecastPod pod = due.pod;
    Instant until =
        state
            .respected(pod.node)
            .holdBackUntil(
                pod.pod(),
                due.arrived,
                noExecute(pod.node),
                settings.scheduler().gates().tolerations(),
                now);
    // A daemon set deletes its pod by itself where it does not tolerate the node, and asks nobody.
    boolean isDeleted = due.atOnce && pod.controllerKind().equals("DaemonSet");
    boolean goes = pod.terminating || isDeleted || !until.isAfter(now);
    if (goes) {
      heldBack.remove(pod);
      leave(pod, due.because);
    } else if (evict(pod, due.because)) {
      heldBack.remove(pod);
    } else if (heldBack.put(pod, due) == null) {
      at(until, () -> evict(due));
    }
  }

  private List<Taint> noExecute(String node) {
    return state.node(node).taints().stream()
        .filter(taint -> taint.effect() == TaintEffect.NO_EXECUTE)
        .toList();
  }

  // What becomes of pods.

  private void leave(ForecastPod pod, String because) {
    if (pod.terminating || pod.gone) {
      return;
    }
    pod.terminating = true;
    pod.leftAt = now;
    pod.because = because;
    state.setReady(pod, false, now);
    if (!lost.contains(pod.node)) {
      at(now.plus(stopTime(pod)), () -> end(pod));
    }
    switch (pod.controllerKind()) {
      case "", "Node", "DaemonSet", "StatefulSet" -> {}
      default -> replace(pod);
    }
  }

  private Duration stopTime(ForecastPod pod) {
    Duration grace =
        Duration.ofSeconds(
            pod.tree.object("spec").integer("terminationGracePeriodSeconds").orElse(USUAL_GRACE));
    return settings.podStop().filter(stop -> stop.compareTo(grace) < 0).orElse(grace);
  }

  private void end(ForecastPod pod) {
    pod.gone = true;
    state.on(pod.node).remove(pod);
    state.scheduler.remove(ForecastState.PODS, pod.tree);
    scheduling.freed();
    if (pod.controllerKind().equals("StatefulSet")) {
      replace(pod);
    }
  }

  private void replace(ForecastPod pod) {
    created++;
    ObjectName name = pod.name;
    String next =
        pod.controllerKind().equals("StatefulSet")
            ? name.name()
            : Successors.name(name.name(), created);
    ForecastPod successor = state.add(Successors.of(pod.tree, next, created));
    pod.successor = successor;
    scheduling.add(successor);
  }

  private void placed(ForecastPod pod, String node) {
    pod.node = node;
    pod.placedAt = now;
    state.on(node).add(pod);
    at(
        now.plus(settings.podStart()),
        () -> {
          if (!pod.terminating && !lost.contains(pod.node)) {
            state.setReady(pod, true, now);
            // Budgets may allow more now.
            List.copyOf(heldBack.values()).forEach(this::evict);
          }
        });
    awaitEviction(pod, state.node(node), now);
  }

  private void preempted(ForecastPod victim, ForecastPod by) {
    leave(victim, "it is preempted by " + by.name);
  }

  // Drains.

  /** Empties the first of these nodes, and then the others. */
  private void drain(List<String> nodes) {
    if (nodes.isEmpty()) {
      return;
    }
    List<ForecastPod> left =
        state.on(nodes.getFirst()).stream().filter(ForecastRun::mustGo).toList();
    if (left.isEmpty()) {
      drain(nodes.subList(1, nodes.size()));
      return;
    }
    boolean progress = false;
    boolean held = false;
    for (ForecastPod pod : left) {
      if (!pod.terminating) {
        boolean evicted = evict(pod, "the drain evicts it");
        progress |= evicted;
        held |= !evicted;
      }
    }
    Instant next = now.plus(held ? DRAIN_RETRY : Duration.ofSeconds(1));
    boolean ongoing =
        progress
            || events.size() > retries
            || left.stream().anyMatch(pod -> pod.terminating && !pod.gone);
    if (ongoing) {
      retries++;
      at(
          next,
          () -> {
            retries--;
            drain(nodes);
          });
    }
  }

  private static boolean mustGo(ForecastPod pod) {
    PodTree tree = pod.pod();
    return !pod.controllerKind().equals("DaemonSet")
        && !tree.metadata().annotations().has(WellKnownAnnotations.CONFIG_MIRROR);
  }

  /** Whether the budgets let it go. */
  private boolean evict(ForecastPod pod, String because) {
    var budgets = pod.budgets.stream().map(BudgetTally::now).toList();
    return switch (Eviction.decide(pod.view(), budgets, now)) {
      case Eviction.Allowed _, Eviction.AllowedWithoutBudget _ -> {
        leave(pod, because);
        yield true;
      }
      case Eviction.Refused refused -> {
        pod.heldBack = refused.cause().isEmpty() ? refused.message() : refused.cause();
        yield false;
      }
    };
  }
}
