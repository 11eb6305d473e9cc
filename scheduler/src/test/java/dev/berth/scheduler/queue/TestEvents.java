package dev.berth.scheduler.queue;

import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import org.jspecify.annotations.Nullable;

/** Makes events of objects. */
final class TestEvents {
  private TestEvents() {}

  static ClusterEvent event(
      Cluster cluster,
      ClusterEventKind kind,
      @Nullable JsonObject before,
      @Nullable JsonObject after) {
    return switch (kind) {
      case NODE_ADDED,
          NODE_REMOVED,
          NODE_ALLOCATABLE_CHANGED,
          NODE_LABELS_CHANGED,
          NODE_TAINTS_CHANGED,
          NODE_UNSCHEDULABLE_CHANGED,
          NODE_CONDITIONS_CHANGED,
          NODE_FEATURES_CHANGED ->
          new ClusterEvent.NodeEvent(kind, node(before), node(after));
      case POD_BOUND,
          POD_LABELS_CHANGED,
          POD_SCALED_DOWN,
          POD_GONE,
          NOMINATION_GONE,
          WAITING_POD_CHANGED ->
          new ClusterEvent.PodEvent(kind, pod(cluster, before), pod(cluster, after));
      case NAMESPACE_CHANGED,
          VOLUME_CHANGED,
          CLAIM_CHANGED,
          STORAGE_CLASS_CHANGED,
          CSI_CHANGED,
          RESOURCE_SLICE_CHANGED,
          DEVICE_CLASS_CHANGED,
          SERVICE_OR_CONTROLLER_CHANGED ->
          new ClusterEvent.ObjectEvent(
              kind, ObjectName.of(after != null ? after : before != null ? before : NAMELESS));
      case RESOURCE_CLAIM_CHANGED ->
          new ClusterEvent.DeviceClaimEvent(
              kind,
              before == null ? null : ResourceClaimView.read(before),
              after == null ? null : ResourceClaimView.read(after));
    };
  }

  private static final JsonObject NAMELESS = JsonObject.EMPTY;

  private static @Nullable NodeInfo node(@Nullable JsonObject tree) {
    if (tree == null) {
      return null;
    }
    Cluster other = new Cluster();
    return other.node(other.put(tree));
  }

  private static @Nullable PodInfo pod(Cluster cluster, @Nullable JsonObject tree) {
    return tree == null ? null : cluster.read(tree);
  }
}
