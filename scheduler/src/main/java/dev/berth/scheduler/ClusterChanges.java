package dev.berth.scheduler;

import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.OwnerSelectors;
import dev.berth.scheduler.cluster.device.ClusterDevices;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.volume.ClusterVolumes;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEvent.NodeEvent;
import dev.berth.scheduler.plugin.ClusterEvent.ObjectEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.time.Time;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Handles changes of everything but pods: updates the cluster, and wakes pods that may profit. */
final class ClusterChanges {
  private final Time time;
  private final SchedulerState state;
  private final Runnable changed;

  /**
   * @param changed run after each change that may wake a pod
   */
  ClusterChanges(Time time, SchedulerState state, Runnable changed) {
    this.time = time;
    this.state = state;
    this.changed = changed;
  }

  void subscribe(InformerSet informers) {
    ClusterVolumes volumes = state.cluster().volumes();
    ClusterDevices devices = state.cluster().devices();
    informers
        .on(Resources.NODES, this::node)
        .on(Resources.NAMESPACES, this::namespace)
        .on(Resources.POD_DISRUPTION_BUDGETS, this::budget);
    owners(informers, Resources.SERVICES, OwnerSelectors.Kind.SERVICE);
    owners(
        informers, Resources.REPLICATION_CONTROLLERS, OwnerSelectors.Kind.REPLICATION_CONTROLLER);
    owners(informers, Resources.REPLICA_SETS, OwnerSelectors.Kind.REPLICA_SET);
    owners(informers, Resources.STATEFUL_SETS, OwnerSelectors.Kind.STATEFUL_SET);
    informers
        .on(
            Resources.PERSISTENT_VOLUMES,
            (before, after) ->
                note(
                    ClusterEventKind.VOLUME_CHANGED,
                    before,
                    after,
                    volumes::putVolume,
                    name -> volumes.removeVolume(name.name())))
        .on(
            Resources.PERSISTENT_VOLUME_CLAIMS,
            (before, after) ->
                note(
                    ClusterEventKind.CLAIM_CHANGED,
                    before,
                    after,
                    volumes::putClaim,
                    volumes::removeClaim))
        .on(
            Resources.STORAGE_CLASSES,
            (before, after) ->
                note(
                    ClusterEventKind.STORAGE_CLASS_CHANGED,
                    before,
                    after,
                    volumes::putStorageClass,
                    name -> volumes.removeStorageClass(name.name())))
        .on(
            Resources.CSI_NODES,
            (before, after) ->
                note(
                    ClusterEventKind.CSI_CHANGED,
                    before,
                    after,
                    volumes::putCsiNode,
                    name -> volumes.removeCsiNode(name.name())))
        .on(
            Resources.CSI_DRIVERS,
            (before, after) ->
                note(
                    ClusterEventKind.CSI_CHANGED,
                    before,
                    after,
                    volumes::putCsiDriver,
                    name -> volumes.removeCsiDriver(name.name())))
        .onOptional(
            Resources.DEVICE_CLASSES,
            (before, after) ->
                note(
                    ClusterEventKind.DEVICE_CLASS_CHANGED,
                    before,
                    after,
                    devices::putClass,
                    name -> devices.removeClass(name.name())))
        .onOptional(
            Resources.RESOURCE_SLICES,
            (before, after) ->
                note(
                    ClusterEventKind.RESOURCE_SLICE_CHANGED,
                    before,
                    after,
                    devices::putSlice,
                    name -> devices.removeSlice(name.name())))
        .onOptional(Resources.RESOURCE_CLAIMS, this::deviceClaim)
        .onOptional(
            Resources.CSI_STORAGE_CAPACITIES,
            (before, after) ->
                note(
                    ClusterEventKind.CSI_CHANGED,
                    before,
                    after,
                    volumes::putStorageCapacity,
                    volumes::removeStorageCapacity))
        .onOptional(
            Resources.VOLUME_ATTACHMENTS,
            (before, after) ->
                note(
                    ClusterEventKind.CSI_CHANGED,
                    before,
                    after,
                    volumes::putAttachment,
                    name -> volumes.removeAttachment(name.name())));
  }

  private void owners(
      InformerSet informers, GroupVersionResource resource, OwnerSelectors.Kind kind) {
    OwnerSelectors owners = state.cluster().owners();
    informers.on(
        resource,
        (before, after) ->
            note(
                ClusterEventKind.SERVICE_OR_CONTROLLER_CHANGED,
                before,
                after,
                tree -> owners.put(kind, tree),
                name -> owners.remove(kind, name)));
  }

  /** Takes note of an object that is there, or is gone. */
  private void note(
      ClusterEventKind kind,
      @Nullable JsonObject before,
      @Nullable JsonObject after,
      Consumer<JsonObject> put,
      Consumer<ObjectName> remove) {
    if (after == null) {
      remove.accept(name(before));
    } else {
      put.accept(after);
    }
    ObjectName name = name(after == null ? before : after);
    handle(new ObjectEvent(kind, name));
    changed.run();
  }

  private void deviceClaim(@Nullable JsonObject before, @Nullable JsonObject after) {
    ClusterDevices devices = state.cluster().devices();
    if (after == null) {
      devices.forgetClaim(name(before));
    } else if (!devices.putClaim(after)) {
      return;
    }
    handle(
        new ClusterEvent.DeviceClaimEvent(
            ClusterEventKind.RESOURCE_CLAIM_CHANGED,
            before == null ? null : ResourceClaimView.read(before),
            after == null ? null : ResourceClaimView.read(after)));
    changed.run();
  }

  private void node(@Nullable JsonObject before, @Nullable JsonObject after) {
    Cluster cluster = state.cluster();
    NodeInfo known = cluster.find(name(after == null ? before : after).name());
    if (after == null) {
      cluster.remove(name(before).name());
      handle(new NodeEvent(ClusterEventKind.NODE_REMOVED, known, null));
      state.nominations().nodeChanged(name(before).name());
    } else if (before == null) {
      NodeInfo added = cluster.node(cluster.put(after));
      handle(new NodeEvent(ClusterEventKind.NODE_ADDED, null, added));
    } else {
      Set<ClusterEventKind> changes = NodeChanges.between(before, after);
      if (changes.isEmpty() && !NodeChanges.hasOtherImages(before, after)) {
        return;
      }
      NodeInfo updated = cluster.node(cluster.put(after));
      changes.forEach(change -> handle(new NodeEvent(change, known, updated)));
      if (!changes.isEmpty()) {
        state.nominations().nodeChanged(updated.name());
      }
    }
    changed.run();
  }

  private void handle(ClusterEvent event) {
    state.queue().handle(event, time.monotonicNow());
  }

  private void namespace(@Nullable JsonObject before, @Nullable JsonObject after) {
    note(
        ClusterEventKind.NAMESPACE_CHANGED,
        before,
        after,
        tree ->
            state
                .cluster()
                .putNamespace(name(tree).name(), tree.object("metadata").object("labels")),
        name -> state.cluster().removeNamespace(name.name()));
  }

  /** A budget keeps no pod from being scheduled, but matters to preemption. */
  private void budget(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      state.budgets().remove(name(before));
    } else {
      state.budgets().put(after);
    }
  }

  private static ObjectName name(@Nullable JsonObject object) {
    return ObjectName.of(object == null ? JsonObject.EMPTY : object);
  }
}
