package dev.berth.controllers.nodelifecycle;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.Backoff;
import dev.berth.client.BoundedRequests;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.EvictionTrace;
import dev.berth.policy.node.NodeAction;
import dev.berth.policy.node.NodeHealth;
import dev.berth.policy.node.NodeLabels;
import dev.berth.policy.node.NodeObservation;
import dev.berth.policy.taint.TaintChange;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one node at a time, and does what {@link NodeHealth} asks for.
 *
 * <p>A look is always at the whole node as it is known now, so nothing is lost when an event or an
 * answer is: whatever is still wrong at the next look is done then. There is one write under way
 * for a node; when it ends the node is looked at again, after a while if it failed.
 *
 * <p>Lives on the controller's loop.
 */
final class NodeReconciler {
  private static final int WRITES_AT_ONCE = 64;

  /** What the rest of the controller is asked and told, on its loop. */
  interface Callbacks {
    /** Whether that very node is still there. */
    boolean knows(NodeRecord node);

    /** No node is being found to be lost any more. */
    void settled();

    /** A node waits to be emptied that could not be when it was its turn. */
    void free(ZoneQueue zone);
  }

  private final Loop loop;
  private final Time time;
  private final NodeLifecycleSettings settings;
  private final KnownHeartbeats heartbeats;
  private final Zones zones;
  private final LostPods pods;
  private final PodEvictions evictions;
  private final LifecycleEvents events;
  private final LifecycleMetrics metrics;
  private final Callbacks callbacks;
  private final NodeWriter writer;
  private final BoundedRequests requests;
  private final RandomGenerator random;
  private final Consumer<String> warnings;

  /** Whether every node was looked at that was there at the start: all others are new. */
  private boolean begun;

  /** How many nodes are being found to be lost. */
  private int lostUnderWay;

  NodeReconciler(
      ControllerParts parts,
      Loop loop,
      NodeLifecycleSettings settings,
      KnownHeartbeats heartbeats,
      Zones zones,
      LostPods pods,
      PodEvictions evictions,
      LifecycleEvents events,
      LifecycleMetrics metrics,
      Callbacks callbacks) {
    this.loop = loop;
    this.time = parts.time();
    this.settings = settings;
    this.heartbeats = heartbeats;
    this.zones = zones;
    this.pods = pods;
    this.evictions = evictions;
    this.events = events;
    this.metrics = metrics;
    this.callbacks = callbacks;
    writer = new NodeWriter(parts.api());
    requests = new BoundedRequests(loop, WRITES_AT_ONCE);
    random = time.random("node-lifecycle");
    warnings = parts.warnings();
  }

  /** All nodes that there are have been looked at. */
  void begun() {
    begun = true;
  }

  boolean isSettled() {
    return lostUnderWay == 0;
  }

  /** Looks at a node that has changed, or whose time has come. */
  void look(NodeRecord node) {
    JsonObject tree = node.tree;
    if (tree == null) {
      return;
    }
    Instant began = time.monotonicNow();
    NodeView view = NodeView.read(tree);
    observe(node, view, began);
    if (!node.busy) {
      act(node, tree, view, check(node, view, began));
    }
    metrics.check.observe(time.since(began));
  }

  private void observe(NodeRecord node, NodeView view, Instant now) {
    NodeObservation last = node.observation;
    node.observation =
        last == null
            ? NodeObservation.first(view, node.lease, settings.health(), now, time.now())
            : last.posted(view, now);
    Optional<Condition> ready = view.condition(Condition.READY);
    node.posted = ready.isPresent();
    node.notReady = ready.filter(c -> c.status() != ConditionStatus.TRUE).isPresent();
    node.unreachable = ready.filter(c -> c.status() == ConditionStatus.UNKNOWN).isPresent();
    // One that is being found to be lost counts as unhealthy until that has proved wrong.
    zones.put(node, view, !view.ready() || (node.busy && node.unhealthy));
    notePace(node, view, last == null && !begun, now);
  }

  /** Has the zone's pace count a taint that somebody else put, our predecessor say. */
  private void notePace(NodeRecord node, NodeView view, boolean begins, Instant now) {
    ZoneQueue zone = Objects.requireNonNull(node.zone);
    if (!settings.health().taintBasedEvictions()) {
      if (begins) {
        // Nothing tells when a predecessor emptied a node: it may have been just now.
        zone.pace = zone.pace.taken(now);
      }
      node.emptied &= node.notReady;
      return;
    }
    Optional<Instant> tainted = EvictionTrace.ofTaint(view);
    Optional<Instant> found = begins ? EvictionTrace.of(view) : tainted;
    if (!node.emptied && found.isPresent()) {
      zone.pace = zone.pace.found(found.get(), now, time.now());
    }
    node.emptied = tainted.isPresent();
  }

  private NodeHealth check(NodeRecord node, NodeView view, Instant now) {
    node.hear(heartbeats.last(node.name, now));
    return NodeHealth.check(
        view,
        Objects.requireNonNull(node.observation),
        settings.health(),
        zones.rates().allDown(),
        now,
        time.now());
  }

  private void act(NodeRecord node, JsonObject tree, NodeView view, NodeHealth health) {
    node.observation = health.observation();
    node.checkAgain = health.checkAgain();
    List<TaintChange> changes = new ArrayList<>();
    boolean waits = false;
    for (NodeAction action : health.actions()) {
      switch (action) {
        case NodeAction.MarkUnknown(List<Condition> conditions) -> {
          markLost(node, tree, view, conditions);
          return;
        }
        case NodeAction.MarkPodsNotReady _ -> pods.mark(node.name);
        case NodeAction.ChangeTaints(TaintChange change) -> changes.add(change);
        case NodeAction.AwaitEvictionRate _ -> waits = true;
        case NodeAction.AwaitPodEviction _ -> waits = !node.emptied && evictions.concern(node.name);
      }
    }
    ZoneQueue zone = Objects.requireNonNull(node.zone);
    if (waits) {
      zone.waiting.add(node);
    } else {
      zone.waiting.remove(node);
    }
    JsonObject labels = NodeLabels.corrections(view.labels()::text);
    if (!changes.isEmpty() || !labels.isEmpty()) {
      node.busy = true;
      Instant now = time.now();
      requests.run(
          () -> writer.change(tree, changes, labels, now), result -> ended(node, tree, result));
    } else if (zone.heldUp) {
      callbacks.free(zone);
    }
  }

  private void markLost(
      NodeRecord node, JsonObject tree, NodeView view, List<Condition> conditions) {
    NodeObservation observation = Objects.requireNonNull(node.observation);
    node.busy = true;
    zones.put(node, view, true);
    lostUnderWay++;
    requests.run(
        () -> writer.markLost(tree, observation.leaseRenewed(), conditions),
        lost -> {
          lostUnderWay--;
          if (callbacks.knows(node)) {
            lostOrNot(node, tree, view, lost);
          }
          if (lostUnderWay == 0) {
            callbacks.settled();
          }
        });
  }

  private void lostOrNot(NodeRecord node, JsonObject tree, NodeView view, NodeWriter.Lost outcome) {
    NodeObservation observation = Objects.requireNonNull(node.observation);
    switch (outcome) {
      case NodeWriter.Lost.Alive(String renewTime) -> {
        node.observation = observation.renewed(renewTime, time.monotonicNow());
        node.busy = false;
        look(node);
      }
      case NodeWriter.Lost.Unsure _ -> {
        node.observation = observation.heardAt(time.monotonicNow());
        node.busy = false;
        look(node);
      }
      case NodeWriter.Lost.Written(ApiResult result) -> {
        if (result.isDone() && view.ready()) {
          events.notReady(tree);
        }
        ended(node, tree, result);
      }
    }
  }

  /**
   * Empties a node that waits, if it still should be: by the taint for that, or by evicting its
   * pods where there are no such taints.
   *
   * @return whether that is being done
   */
  boolean evict(NodeRecord node, ZoneQueue zone) {
    JsonObject tree = node.tree;
    if (tree == null || node.busy) {
      return false;
    }
    NodeView view = NodeView.read(tree);
    NodeHealth health = check(node, view, time.monotonicNow());
    zone.waiting.remove(node);
    for (NodeAction action : health.actions()) {
      if (action instanceof NodeAction.AwaitEvictionRate(Taint taint)) {
        taint(node, tree, zone, taint);
        return true;
      }
      if (action instanceof NodeAction.AwaitPodEviction && evictions.concern(node.name)) {
        node.emptied = true;
        metrics.evictions.with(zone.zone.toString()).increment();
        zone.pace = zone.pace.taken(time.monotonicNow());
        evictions.begin(node.name);
        loop.offer(() -> callbacks.free(zone));
        return true;
      }
    }
    look(node);
    return false;
  }

  private void taint(NodeRecord node, JsonObject tree, ZoneQueue zone, Taint taint) {
    Instant now = time.now();
    TaintChange change = new TaintChange(List.of(taint), List.of());
    zone.tainting = true;
    node.busy = true;
    requests.run(
        () -> writer.change(tree, List.of(change), JsonObject.EMPTY, now),
        result -> {
          zone.tainting = false;
          if (result.isDone()) {
            node.emptied = true;
            metrics.evictions.with(zone.zone.toString()).increment();
          }
          if (result.mayBeDone()) {
            zone.pace = zone.pace.taken(time.monotonicNow());
          }
          if (callbacks.knows(node)) {
            ended(node, tree, result);
          }
          callbacks.free(zone);
        });
  }

  /**
   * A write has ended.
   *
   * @param decidedOn the node that it was decided on; since the write names its revision, whatever
   *     was heard of the node meanwhile is not older than the outcome
   */
  private void ended(NodeRecord node, JsonObject decidedOn, ApiResult result) {
    if (!callbacks.knows(node)) {
      return;
    }
    node.busy = false;
    switch (result) {
      case ApiResult.Done(JsonObject written) -> {
        node.backoff = null;
        if (isStill(node, decidedOn)) {
          node.tree = written;
        }
        look(node);
      }
      case ApiResult.Failure why -> {
        if (result.isConflict() && !isStill(node, decidedOn)) {
          look(node);
        } else {
          lookLater(node, why);
        }
      }
    }
  }

  /** Whether nothing was heard of the node since. */
  private static boolean isStill(NodeRecord node, JsonObject before) {
    return node.tree != null
        && Metadata.of(node.tree).resourceVersion().equals(Metadata.of(before).resourceVersion());
  }

  private void lookLater(NodeRecord node, ApiResult.Failure why) {
    if (why instanceof ApiResult.Refused(ApiError error)
        && !error.isConflict()
        && !error.isNotFound()) {
      warnings.accept(
          "node lifecycle: the server refuses a change of node %s (it will be tried again): %s"
              .formatted(node.name, why.message()));
    }
    Backoff backoff = backoffOf(node);
    loop.after(
        backoff.failed(time.monotonicNow(), why),
        () -> {
          if (callbacks.knows(node) && !node.busy) {
            look(node);
          }
        });
  }

  private Backoff backoffOf(NodeRecord node) {
    @Nullable Backoff known = node.backoff;
    Backoff backoff = known == null ? new Backoff(random) : known;
    node.backoff = backoff;
    return backoff;
  }
}
