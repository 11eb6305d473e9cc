package dev.berth.model.core;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/** A ControllerRevision, read where it stands in the tree. */
public record ControllerRevisionTree(JsonObject tree) {
  public Metadata metadata() {
    return Metadata.of(tree);
  }

  /** Of a set's revisions the highest is the latest. */
  public long revision() {
    return tree.integer("revision").orElse(0);
  }

  /** A patch that brings back what was, in its owner's own form. */
  public JsonObject data() {
    return tree.object("data");
  }
}
