package dev.berth.controllers.nodelifecycle;

import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.EvictionTrace;
import dev.berth.policy.node.NodeHealth;
import dev.berth.policy.node.NodeObservation;
import dev.berth.policy.node.ZoneRate;
import dev.berth.policy.node.ZoneRates;
import dev.berth.policy.node.ZoneTurn;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Watches the health of nodes: a node that falls silent becomes Unknown and its pods not ready, its
 * problems become taints, and zones are emptied no faster than their state permits. What is decided
 * when is written in {@link NodeHealth}, {@link dev.berth.policy.node.NodeTaints} and {@link
 * ZoneRates}.
 *
 * <ol>
 *   <li>A node that changes is looked at at once.
 *   <li>A lease that is renewed is noted, and nothing more: there are thousands a second.
 *   <li>Every monitor period a pass looks at the nodes whose time has come, and only at those; then
 *       come the states of the zones, and then a node of each zone may be emptied. So what fails
 *       together is seen together before anything is evicted.
 *   <li>A zone's next node is emptied when its pace permits ({@link
 *       dev.berth.policy.node.EvictionPace}), counted from when the last one was done.
 * </ol>
 *
 * <p>Everything that it knows is soft. After a start nobody is silent yet, and the pace of every
 * zone goes on from what nodes tell of their taints ({@link EvictionTrace}): however often
 * controllers crash, no rate is exceeded, and nodes that were lost are emptied all the same.
 *
 * <p>One loop owns all of it.
 */
public final class NodeLifecycle implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "node-controller";

  /** Nodes that are older than this when the controller starts were registered before. */
  private static final Duration NEW = Duration.ofMinutes(5);

  private final Loop loop;
  private final Time time;
  private final NodeLifecycleSettings settings;
  private final KnownHeartbeats heartbeats;
  private final LifecycleEvents events;
  private final LifecycleMetrics metrics;
  private final Zones zones;
  private final LostPods pods;
  private final PodEvictions evictions;
  private final NodeReconciler care;
  private final InformerSet informers;

  /** By name; in the order in which they were first heard of, so that a run repeats exactly. */
  private final Map<String, NodeRecord> nodes = new LinkedHashMap<>();

  /** When the server was last found not to answer: silence before that says nothing. */
  private Instant serverUnreachableAt = Instant.MIN;

  private Instant lastPass;

  private NodeLifecycle(
      ControllerParts parts, NodeLifecycleSettings settings, KnownHeartbeats heartbeats) {
    this.settings = settings;
    this.heartbeats = heartbeats;
    time = parts.time();
    lastPass = time.monotonicNow();
    loop = time.start("node-lifecycle");
    events = new LifecycleEvents(EventRecorder.counting(parts.api(), loop, time, ACCOUNT));
    metrics = new LifecycleMetrics(parts.metrics());
    zones = new Zones(settings, heartbeats, this::zoneChanged);
    pods =
        new LostPods(
            parts,
            loop,
            events,
            name -> is(name, node -> node.notReady),
            name -> is(name, node -> node.unreachable),
            settings.health().gracePeriod());
    evictions =
        new PodEvictions(
            parts, loop, events, pods, name -> is(name, node -> node.notReady && node.emptied));
    care =
        new NodeReconciler(
            parts,
            loop,
            settings,
            heartbeats,
            zones,
            pods,
            evictions,
            events,
            metrics,
            new NodeReconciler.Callbacks() {
              @Override
              public boolean knows(NodeRecord node) {
                return nodes.get(node.name) == node && node.tree != null;
              }

              @Override
              public void settled() {
                empty();
              }

              @Override
              public void free(ZoneQueue zone) {
                zone.heldUp = false;
                empty(zone);
              }
            });
    informers =
        new InformerSet(
                parts.informers(),
                loop,
                this::begin,
                warning -> {
                  serverUnreachableAt = time.monotonicNow();
                  parts.warnings().accept(warning);
                })
            .on(Resources.NODES, this::nodeChanged)
            .on(ListRequest.of(Resources.LEASES).in(NodeWriter.LEASE_NAMESPACE), this::leaseChanged)
            .on(Resources.PODS, this::podChanged);
  }

  public static NodeLifecycle start(ControllerParts parts, NodeLifecycleSettings settings) {
    return start(parts, settings, KnownHeartbeats.NONE);
  }

  public static NodeLifecycle start(
      ControllerParts parts, NodeLifecycleSettings settings, KnownHeartbeats heartbeats) {
    NodeLifecycle controller = new NodeLifecycle(parts, settings, heartbeats);
    controller.informers.start();
    return controller;
  }

  @Override
  public void close() {
    loop.close();
    informers.close();
  }

  private boolean is(String name, Predicate<NodeRecord> so) {
    NodeRecord node = nodes.get(name);
    return node != null && so.test(node);
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    pods.changed(before, after);
    evictions.changed(before, after);
  }

  private void leaseChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject known = after == null ? before : after;
    if (known == null) {
      return;
    }
    String name = Metadata.of(known).name();
    NodeRecord node = nodes.computeIfAbsent(name, NodeRecord::new);
    node.lease = after == null ? null : NodeWriter.renewTime(after);
    node.leaseDuration = after == null ? Duration.ZERO : NodeWriter.leaseDuration(after);
    if (node.lease != null && node.observation != null) {
      node.observation = node.observation.renewed(node.lease, time.monotonicNow());
    }
    forgetIfGone(node);
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      NodeRecord node = nodes.computeIfAbsent(Metadata.of(after).name(), NodeRecord::new);
      node.tree = after;
      if (before == null && (informers.isSynced() || isNew(after))) {
        events.registered(after);
      }
      if (informers.isSynced()) {
        care.look(node);
      }
    } else if (before != null) {
      removed(before);
    }
  }

  private boolean isNew(JsonObject node) {
    return Metadata.of(node)
        .creationTimestamp()
        .filter(created -> created.plus(NEW).isAfter(time.now()))
        .isPresent();
  }

  private void removed(JsonObject tree) {
    NodeRecord node = nodes.remove(Metadata.of(tree).name());
    if (node != null) {
      zones.remove(node);
      events.removed(tree);
      // Another node of this name starts afresh, but for the lease, which may be there still.
      NodeRecord rest = new NodeRecord(node.name);
      rest.lease = node.lease;
      rest.leaseDuration = node.leaseDuration;
      nodes.put(rest.name, rest);
      forgetIfGone(rest);
    }
  }

  private void forgetIfGone(NodeRecord node) {
    if (node.tree == null && node.lease == null) {
      nodes.remove(node.name);
    }
  }

  private void begin() {
    pass();
    care.begun();
  }

  private void pass() {
    Instant now = time.monotonicNow();
    if (lastPass.plus(settings.health().gracePeriod().dividedBy(2)).isBefore(now)) {
      // Nobody looked for so long that it was this process that was held up.
      serverUnreachableAt = now;
    }
    lastPass = now;
    List<NodeRecord> due = new ArrayList<>();
    for (NodeRecord node : nodes.values()) {
      if (node.tree != null && !now.isBefore(node.checkAgain)) {
        due.add(node);
      }
    }
    due.forEach(node -> checkSilence(node, now));
    if (care.isSettled()) {
      empty();
    }
    metrics.pass.observe(Duration.between(now, time.monotonicNow()));
    loop.after(settings.monitorPeriod().minus(time.since(now)), this::pass);
  }

  /** Looks at a node whose time has come, unless it was heard of since that time was set. */
  private void checkSilence(NodeRecord node, Instant now) {
    node.hear(heartbeats.last(node.name, now));
    NodeObservation seen = node.observation;
    if (seen != null && !node.busy) {
      if (seen.heard().isBefore(serverUnreachableAt)) {
        seen = seen.heardAt(serverUnreachableAt);
        node.observation = seen;
      }
      Instant until = seen.heard().plus(NodeHealth.graceOf(node.posted, settings.health()));
      if (seen.evictableFrom() == null && !node.notReady && now.isBefore(until)) {
        node.checkAgain = until;
        return;
      }
    }
    care.look(node);
  }

  /** Computes the zones' rates if need be, and empties nodes where their turn has come. */
  private void empty() {
    refreshZones();
    List.copyOf(zones.all()).forEach(this::empty);
  }

  private void refreshZones() {
    switch (zones.refresh(time.monotonicNow())) {
      case NONE -> {}
      case ALL_WENT_DOWN -> lookAtUnhealthy();
      case SOME_CAME_BACK -> {
        Instant now = time.monotonicNow();
        for (NodeRecord node : nodes.values()) {
          NodeObservation seen = node.observation;
          if (seen != null) {
            node.observation =
                node.unhealthy ? seen.afterCutOff(settings.health(), now) : seen.heardAt(now);
          }
        }
        // When all went down, the taints were removed by which a successor knows the pace.
        zones.all().forEach(zone -> zone.pace = zone.pace.taken(now));
        lookAtUnhealthy();
      }
    }
    metrics.show(zones.rates());
  }

  private void lookAtUnhealthy() {
    for (NodeRecord node : List.copyOf(nodes.values())) {
      if (node.unhealthy) {
        care.look(node);
      }
    }
  }

  private void empty(ZoneQueue zone) {
    zone.cancelTimer();
    if (zone.tainting || zone.waiting.isEmpty()) {
      return;
    }
    Instant now = time.monotonicNow();
    switch (zones.turn(zone, now)) {
      case ZoneTurn.Now _ -> emptyNext(zone);
      case ZoneTurn.Later(Instant at) ->
          zone.timer = loop.after(Duration.between(now, at), () -> comesToTurn(zone));
      case ZoneTurn.Never _ -> {
        // A pass that finds another rate comes back to it.
      }
    }
  }

  /** Empties the first node that can be. */
  private void emptyNext(ZoneQueue zone) {
    for (NodeRecord node : List.copyOf(zone.waiting)) {
      if (care.evict(node, zone)) {
        return;
      }
    }
    zone.heldUp = !zone.waiting.isEmpty();
  }

  private void comesToTurn(ZoneQueue zone) {
    zone.timer = null;
    refreshZones();
    empty(zone);
  }

  private void zoneChanged(ZoneQueue zone, ZoneRate rate) {
    metrics.zoneChanges.with(zone.zone.toString(), rate.state().text()).increment();
    zone.spokesman().map(node -> node.tree).ifPresent(tree -> events.zoneChanged(tree, rate));
  }
}
