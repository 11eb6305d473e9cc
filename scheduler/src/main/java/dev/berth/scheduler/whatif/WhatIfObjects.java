package dev.berth.scheduler.whatif;

import dev.berth.client.Resources;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.OwnerSelectors;
import dev.berth.scheduler.cluster.device.ClusterDevices;
import dev.berth.scheduler.cluster.volume.ClusterVolumes;
import dev.berth.scheduler.preemption.Budgets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is in a what-if cluster beside its pods, by resource; each object as it was last put. */
final class WhatIfObjects {
  private final Map<String, Kind> kinds = new HashMap<>();

  /** The objects of a resource, and how the cluster takes note of them. */
  private record Kind(
      Map<ObjectName, JsonObject> there, Consumer<JsonObject> put, Consumer<ObjectName> remove) {}

  WhatIfObjects(Cluster cluster, Budgets budgets) {
    ClusterVolumes volumes = cluster.volumes();
    ClusterDevices devices = cluster.devices();
    kind(Resources.NODES, cluster::put, name -> cluster.remove(name.name()));
    kind(
        Resources.NAMESPACES,
        tree ->
            cluster.putNamespace(
                ObjectName.of(tree).name(), tree.object("metadata").object("labels")),
        name -> cluster.removeNamespace(name.name()));
    kind(Resources.POD_DISRUPTION_BUDGETS, budgets::put, budgets::remove);
    owners(cluster, Resources.SERVICES, OwnerSelectors.Kind.SERVICE);
    owners(cluster, Resources.REPLICATION_CONTROLLERS, OwnerSelectors.Kind.REPLICATION_CONTROLLER);
    owners(cluster, Resources.REPLICA_SETS, OwnerSelectors.Kind.REPLICA_SET);
    owners(cluster, Resources.STATEFUL_SETS, OwnerSelectors.Kind.STATEFUL_SET);
    kind(
        Resources.PERSISTENT_VOLUMES,
        volumes::putVolume,
        name -> volumes.removeVolume(name.name()));
    kind(Resources.PERSISTENT_VOLUME_CLAIMS, volumes::putClaim, volumes::removeClaim);
    kind(
        Resources.STORAGE_CLASSES,
        volumes::putStorageClass,
        name -> volumes.removeStorageClass(name.name()));
    kind(Resources.CSI_NODES, volumes::putCsiNode, name -> volumes.removeCsiNode(name.name()));
    kind(
        Resources.CSI_DRIVERS, volumes::putCsiDriver, name -> volumes.removeCsiDriver(name.name()));
    kind(
        Resources.CSI_STORAGE_CAPACITIES,
        volumes::putStorageCapacity,
        volumes::removeStorageCapacity);
    kind(
        Resources.VOLUME_ATTACHMENTS,
        volumes::putAttachment,
        name -> volumes.removeAttachment(name.name()));
    kind(Resources.DEVICE_CLASSES, devices::putClass, name -> devices.removeClass(name.name()));
    kind(Resources.RESOURCE_SLICES, devices::putSlice, name -> devices.removeSlice(name.name()));
    kind(Resources.RESOURCE_CLAIMS, devices::putClaim, devices::forgetClaim);
  }

  private void owners(Cluster cluster, GroupVersionResource resource, OwnerSelectors.Kind kind) {
    OwnerSelectors owners = cluster.owners();
    kind(resource, tree -> owners.put(kind, tree), name -> owners.remove(kind, name));
  }

  private void kind(
      GroupVersionResource resource, Consumer<JsonObject> put, Consumer<ObjectName> remove) {
    kinds.put(resource.groupResource().toString(), new Kind(new HashMap<>(), put, remove));
  }

  @Nullable JsonObject find(String resource, ObjectName name) {
    Kind kind = kinds.get(resource);
    return kind == null ? null : kind.there.get(name);
  }

  /** Takes note of an object; of a resource that does not matter to schedulers, none is taken. */
  void put(String resource, JsonObject object) {
    Kind kind = kinds.get(resource);
    if (kind != null) {
      kind.there.put(ObjectName.of(object), object);
      kind.put.accept(object);
    }
  }

  void remove(String resource, ObjectName name) {
    Kind kind = kinds.get(resource);
    if (kind != null && kind.there.remove(name) != null) {
      kind.remove.accept(name);
    }
  }
}
