package dev.berth.model.drain;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/**
 * A node, as a drain sees it.
 *
 * @param mark the UID of the drain that cordoned it; empty if none did
 */
public record DrainNode(JsonObject tree, boolean unschedulable, String mark) {
  /** The annotation that says which drain has cordoned a node, by the drain's UID. */
  public static final String CORDONED_BY = "berth.dev/cordoned-by-drain";

  public static DrainNode read(JsonObject node) {
    return new DrainNode(
        node,
        node.object("spec").flag("unschedulable", false),
        Metadata.of(node).annotation(CORDONED_BY).orElse(""));
  }

  public String name() {
    return Metadata.of(tree).name();
  }

  public JsonObject labels() {
    return Metadata.of(tree).labels();
  }
}
