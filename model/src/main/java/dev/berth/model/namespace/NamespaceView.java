package dev.berth.model.namespace;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * A Namespace.
 *
 * @param finalizers of its specification: who has to empty it before it may go
 * @param conditions the tree's own
 */
public record NamespaceView(
    String name, boolean terminating, List<String> finalizers, JsonArray conditions) {

  public static NamespaceView read(JsonObject namespace) {
    Metadata metadata = Metadata.of(namespace);
    return new NamespaceView(
        metadata.name(),
        metadata.isBeingDeleted(),
        namespace.object("spec").array("finalizers").texts(),
        namespace.object("status").array("conditions"));
  }
}
