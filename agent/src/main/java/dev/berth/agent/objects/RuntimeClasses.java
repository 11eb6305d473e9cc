package dev.berth.agent.objects;

import dev.berth.client.Api;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;

/** What runtime classes stand for. Blocks. */
public final class RuntimeClasses {
  private static final GroupVersionResource RESOURCE =
      new GroupVersionResource("node.k8s.io", "v1", "runtimeclasses");

  private final Api api;

  public RuntimeClasses(Api api) {
    this.api = api;
  }

  /** The handler that a pod's runtime class names; empty if the pod names none. */
  public String handler(JsonObject pod) throws ObjectsUnavailable {
    String name = pod.object("spec").text("runtimeClassName", "");
    if (name.isEmpty()) {
      return "";
    }
    return SingleReads.get(api, RESOURCE, ObjectName.of(name))
        .orElseThrow(() ->
            new ObjectsUnavailable("runtimeclass.node.k8s.io \"%s\" not found".formatted(name)))
        .text("handler", "");
  }
}
