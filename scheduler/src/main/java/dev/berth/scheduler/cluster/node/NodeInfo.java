package dev.berth.scheduler.cluster.node;

import dev.berth.model.core.NodeView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonObject;

/** A node as the scheduler sees it, beside the columns: read once per revision. */
public record NodeInfo(int index, JsonObject tree, NodeView view, ResourceList allocatable) {
  public String name() {
    return view.name();
  }

  public JsonObject labels() {
    return view.labels();
  }
}
