package dev.berth.kinds.node;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
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
        .rules(new RuntimeClassRules())
        .columns(
            Column.NAME,
            Column.text("Handler", "What runs the pods.", Cells.text("handler", "")),
            Column.AGE)
        .build();
  }
}
