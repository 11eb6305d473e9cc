package dev.berth.sim.snapshot;

import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.heartbeat.NodeLease;
import dev.berth.model.resource.GroupVersionResource;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a snapshot holds, in the order in which it can be created: whatever decides where pods run
 * and when they go. Secrets and config maps are no part of it.
 */
final class SnapshotContents {
  private static final ListRequest NODE_LEASES =
      ListRequest.of(Resources.LEASES).in(NodeLease.NAMESPACE);

  private static final List<GroupVersionResource> RESOURCES =
      List.of(
          Resources.NAMESPACES,
          Resources.PRIORITY_CLASSES,
          new GroupVersionResource("node.k8s.io", "v1", "runtimeclasses"),
          Resources.STORAGE_CLASSES,
          Resources.DEVICE_CLASSES,
          Resources.CSI_DRIVERS,
          Resources.NODES,
          Resources.CSI_NODES,
          Resources.CSI_STORAGE_CAPACITIES,
          Resources.RESOURCE_SLICES,
          Resources.RESOURCE_QUOTAS,
          new GroupVersionResource("", "v1", "limitranges"),
          Resources.PERSISTENT_VOLUMES,
          Resources.PERSISTENT_VOLUME_CLAIMS,
          Resources.VOLUME_ATTACHMENTS,
          Resources.RESOURCE_CLAIM_TEMPLATES,
          Resources.RESOURCE_CLAIMS,
          Resources.SERVICES,
          Resources.POD_DISRUPTION_BUDGETS,
          Resources.CRON_JOBS,
          Resources.JOBS,
          Resources.DEPLOYMENTS,
          Resources.REPLICA_SETS,
          Resources.REPLICATION_CONTROLLERS,
          Resources.CONTROLLER_REVISIONS,
          Resources.STATEFUL_SETS,
          Resources.DAEMON_SETS,
          Resources.PODS,
          Resources.HORIZONTAL_POD_AUTOSCALERS);

  private SnapshotContents() {}

  /** The lists to ask for. Leases are those of nodes alone. */
  static List<ListRequest> requests() {
    return Stream.concat(RESOURCES.stream().map(ListRequest::of), Stream.of(NODE_LEASES)).toList();
  }

  /** The resources by the names under which a snapshot lists them, such as {@code jobs.batch}. */
  static List<GroupVersionResource> resources() {
    return requests().stream().map(ListRequest::resource).toList();
  }
}
