package dev.berth.controllers.disruption;

import dev.berth.client.Resources;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.ControllerScale;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How many pods the controllers are to have that are known without asking: Deployments,
 * ReplicaSets, StatefulSets and ReplicationManager. A ReplicaSet that a Deployment manages is to
 * have as many as the Deployment.
 */
final class Workloads {
  /** Those that are heard of. */
  static final List<GroupVersionResource> HEARD_OF =
      List.of(
          Resources.DEPLOYMENTS,
          Resources.REPLICA_SETS,
          Resources.STATEFUL_SETS,
          Resources.REPLICATION_CONTROLLERS);

  private static final Set<String> APPS = Set.of("apps", "extensions");

  private final Map<String, Workload> byUid = new HashMap<>();

  /**
   * What matters of a workload.
   *
   * @param managerUid of what manages it; empty if nothing does
   */
  private record Workload(long replicas, String managerUid) {}

  /** Takes note; returns whether anything that matters changed. */
  boolean changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      Metadata metadata = Metadata.of(after);
      String manager = metadata.controller().map(OwnerReference::uid).orElse("");
      Workload now = new Workload(after.object("spec").integer("replicas").orElse(1), manager);
      return !now.equals(byUid.put(metadata.uid(), now));
    }
    return before != null && byUid.remove(Metadata.of(before).uid()) != null;
  }

  /** Whether the controller is of a kind that is heard of. */
  static boolean isHeardOf(OwnerReference controller) {
    String group = group(controller);
    return switch (controller.kind()) {
      case "ReplicaSet", "Deployment" -> APPS.contains(group);
      case "StatefulSet" -> group.equals("apps");
      case "ReplicationController" -> group.isEmpty();
      default -> false;
    };
  }

  /** Of what manages it; its own uid if nothing that is known does. */
  String managerOf(String uid) {
    Workload own = byUid.get(uid);
    return own != null && byUid.containsKey(own.managerUid()) ? own.managerUid() : uid;
  }

  /** The scale of a controller that is heard of; empty if there is no such controller. */
  Optional<ControllerScale> scale(String uid) {
    String manager = managerOf(uid);
    return Optional.ofNullable(byUid.get(manager))
        .map(workload -> new ControllerScale.Known(manager, workload.replicas()));
  }

  static String group(OwnerReference controller) {
    String version = controller.apiVersion();
    int slash = version.indexOf('/');
    return slash < 0 ? "" : version.substring(0, slash);
  }
}
