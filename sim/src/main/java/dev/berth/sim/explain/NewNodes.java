package dev.berth.sim.explain;

import dev.berth.model.core.ResourceList;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Nodes that a cluster could get: like one that works, and if no node is large enough, larger. */
final class NewNodes {
  private static final int MOST_SHAPES = 12;

  /** What nodes must have in common to be alike to a scheduler. */
  private record Shape(JsonObject labels, JsonObject taints, JsonObject allocatable) {}

  private NewNodes() {}

  static List<Change.AddNode> of(Cluster cluster, JsonObject pod) {
    Map<Shape, NodeInfo> shapes = new LinkedHashMap<>();
    for (int node = 0; node < cluster.limit() && shapes.size() < MOST_SHAPES; node++) {
      if (cluster.exists(node)) {
        NodeInfo info = cluster.node(node);
        if (info.view().ready() && !info.view().unschedulable()) {
          shapes.putIfAbsent(shape(info), info);
        }
      }
    }
    List<Change.AddNode> changes = new ArrayList<>();
    for (NodeInfo like : shapes.values()) {
      changes.add(
          new Change.AddNode(
              copy(like, like.tree().object("status").object("allocatable")),
              "add a node like %s (%s)".formatted(like.name(), size(like))));
    }
    changes.addAll(larger(cluster, pod, shapes));
    return changes;
  }

  private static Shape shape(NodeInfo node) {
    JsonObject metadata = node.tree().object("metadata");
    return new Shape(
        metadata.object("labels").without(WellKnownLabels.HOSTNAME),
        JsonObject.of("taints", node.tree().object("spec").array("taints")),
        node.tree().object("status").object("allocatable"));
  }

  private static JsonObject copy(NodeInfo like, JsonObject allocatable) {
    String name = like.name() + "-new";
    JsonObject labels =
        like.tree().object("metadata").object("labels").with(WellKnownLabels.HOSTNAME, name);
    return new JsonObject.Builder()
        .put("metadata", JsonObject.of("name", name).with("labels", labels))
        .put("spec", JsonObject.of("taints", like.tree().object("spec").array("taints")))
        .put(
            "status",
            JsonObject.of("allocatable", allocatable)
                .with("capacity", allocatable)
                .with("conditions", like.tree().object("status").array("conditions")))
        .build();
  }

  /** One that has what the pod requests, where no node has that much. */
  private static List<Change.AddNode> larger(
      Cluster cluster, JsonObject pod, Map<Shape, NodeInfo> shapes) {
    PodInfo info = cluster.read(pod);
    ResourceAmounts requests = info.requests();
    StringJoiner beyond = new StringJoiner(" and ");
    Map<String, Long> wanted = new LinkedHashMap<>();
    for (int i = 0; i < requests.size(); i++) {
      int column = requests.column(i);
      long most = 0;
      for (int node = 0; node < cluster.limit(); node++) {
        most = Math.max(most, cluster.exists(node) ? cluster.allocatable(column, node) : 0);
      }
      if (most < requests.amount(i)) {
        String resource = cluster.resources().name(column);
        beyond.add(Amounts.withName(resource, requests.amount(i)));
        wanted.put(resource, requests.amount(i));
      }
    }
    if (wanted.isEmpty()) {
      return List.of();
    }
    List<Change.AddNode> changes = new ArrayList<>();
    for (NodeInfo like : shapes.values()) {
      JsonObject allocatable = like.tree().object("status").object("allocatable");
      for (Map.Entry<String, Long> each : wanted.entrySet()) {
        allocatable =
            allocatable.with(
                each.getKey(), Amounts.quantity(each.getKey(), each.getValue()).toString());
      }
      changes.add(
          new Change.AddNode(
              copy(like, allocatable), "add a larger node: no node has %s".formatted(beyond)));
    }
    return changes;
  }

  private static String size(NodeInfo node) {
    ResourceList amounts = node.allocatable();
    return "%s cpu, %s memory"
        .formatted(
            Amounts.text(ResourceList.CPU, amounts.get(ResourceList.CPU).milliValue()),
            Amounts.text(ResourceList.MEMORY, amounts.get(ResourceList.MEMORY).value()));
  }
}
