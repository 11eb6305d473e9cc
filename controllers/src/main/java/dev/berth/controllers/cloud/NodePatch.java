package dev.berth.controllers.cloud;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.core.NodeAddress;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * A change of a node that names the revision on which it was decided, so that nobody else's change
 * is lost.
 */
public record NodePatch(JsonObject node, JsonObject metadata, JsonObject spec) {

  public static NodePatch of(JsonObject node) {
    Metadata metadata = Metadata.of(node);
    return new NodePatch(
        node,
        new JsonObject.Builder()
            .put("uid", metadata.uid())
            .put("resourceVersion", metadata.resourceVersion())
            .build(),
        JsonObject.EMPTY);
  }

  public NodePatch labels(Map<String, String> labels) {
    if (labels.isEmpty()) {
      return this;
    }
    JsonObject.Builder tree = new JsonObject.Builder();
    labels.forEach(tree::put);
    return new NodePatch(node, metadata.with("labels", tree.build()), spec);
  }

  public NodePatch taints(JsonArray taints) {
    Object value = taints.isEmpty() ? JsonNull.NULL : taints;
    return new NodePatch(node, metadata, spec.with("taints", value));
  }

  public NodePatch providerId(String id) {
    return id.isEmpty() ? this : new NodePatch(node, metadata, spec.with("providerID", id));
  }

  /** Writes it; blocks. */
  public ApiResult write(Api api) {
    JsonObject patch = JsonObject.of("metadata", metadata);
    return api.patch(target(), PatchType.MERGE, spec.isEmpty() ? patch : patch.with("spec", spec));
  }

  /**
   * Writes addresses instead, whatever else was written meanwhile: they are nobody else's. Blocks.
   */
  public ApiResult writeAddresses(Api api, List<NodeAddress> addresses) {
    JsonArray trees = JsonArray.copyOf(addresses.stream().map(NodeAddress::toTree).toList());
    JsonObject patch =
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("uid", Metadata.of(node).uid()))
            .put("status", JsonObject.of("addresses", trees))
            .build();
    return api.patch(target().subresource("status"), PatchType.MERGE, patch);
  }

  private Target target() {
    return Target.of(Resources.NODES, ObjectName.of(node));
  }
}
