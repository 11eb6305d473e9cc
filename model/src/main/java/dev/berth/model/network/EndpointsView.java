package dev.berth.model.network;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/**
 * An Endpoints object, read where it stands in the tree. Its subsets are the tree's own: it is
 * right only if it says exactly what it should, and nothing else.
 */
public record EndpointsView(JsonObject tree) {

  public Metadata metadata() {
    return Metadata.of(tree);
  }

  public JsonArray subsets() {
    return tree.array("subsets");
  }
}
