package dev.berth.kinds.node;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.NodeLabelWarnings;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The group node.k8s.io. */
public final class NodeResources {
  private static final String V1 = "v1";

  private NodeResources() {}

  public static List<Resource> all() {
    return List.of(runtimeClasses());
  }

  private static Resource runtimeClasses() {
    return Resource.clusterWide("node.k8s.io", V1, "RuntimeClass")
        .plural("runtimeclasses")
        .createsOnUpdate()
        .anyFinalizers()
        .rules(new RuntimeClassRules())
        .warnings(ObjectWarnings.whenWritten(NodeResources::warnings))
        .columns(
            Column.NAME,
            Column.text("Handler", "What runs the pods.", Cells.text("handler", "")),
            Column.AGE)
        .build();
  }

  private static List<String> warnings(JsonObject runtimeClass) {
    return runtimeClass.object("scheduling").object("nodeSelector").names().stream()
        .flatMap(label -> NodeLabelWarnings.of(label).stream())
        .map(why -> "scheduling.nodeSelector: " + why)
        .toList();
  }
}
