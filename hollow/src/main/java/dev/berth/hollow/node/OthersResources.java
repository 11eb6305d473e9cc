package dev.berth.hollow.node;

import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;

/**
 * Extended resources that others write into a node's capacity: as with a kubelet, pods may use all
 * of it as soon as the node has seen it, and nothing once it is gone.
 */
final class OthersResources {
  private OthersResources() {}

  /** The patch of {@code allocatable} that makes it follow the capacity; empty if it does. */
  static JsonObject behind(JsonObject node) {
    JsonObject status = node.object("status");
    JsonObject capacity = status.object("capacity");
    JsonObject allocatable = status.object("allocatable");
    JsonObject.Builder patch = new JsonObject.Builder();
    for (String name : capacity.names()) {
      Object amount = capacity.get(name);
      if (isExtended(name) && amount != null && !amount.equals(allocatable.get(name))) {
        patch.put(name, amount);
      }
    }
    for (String name : allocatable.names()) {
      if (isExtended(name) && !capacity.has(name)) {
        patch.put(name, JsonNull.NULL);
      }
    }
    return patch.build();
  }

  private static boolean isExtended(String name) {
    return name.indexOf('/') >= 0;
  }
}
