package dev.berth.scheduler;

import dev.berth.client.InformerSet;
import dev.berth.client.Resources;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.OwnerSelectors;
import dev.berth.scheduler.cluster.Volumes;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes note of everything but pods, and wakes the pods that it may help. */
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
    Volumes volumes = state.cluster().volumes();
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
    state.queue().happened(kind, before, after, time.monotonicNow());
    changed.run();
  }

  private void node(@Nullable JsonObject before, @Nullable JsonObject after) {
    Instant now = time.monotonicNow();
    if (after == null) {
      state.cluster().remove(name(before).name());
      state.queue().happened(ClusterEventKind.NODE_REMOVED, before, null, now);
    } else if (before == null) {
      state.cluster().put(after);
      state.queue().happened(ClusterEventKind.NODE_ADDED, null, after, now);
    } else {
      Set<ClusterEventKind> changes = NodeChanges.between(before, after);
      if (changes.isEmpty() && !NodeChanges.hasOtherImages(before, after)) {
        return;
      }
      state.cluster().put(after);
      changes.forEach(change -> state.queue().happened(change, before, after, now));
    }
    changed.run();
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

  /** A budget holds nobody back, but says whom to spare. */
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
