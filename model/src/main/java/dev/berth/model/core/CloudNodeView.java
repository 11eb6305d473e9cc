package dev.berth.model.core;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A node as the controllers of its cloud see it.
 *
 * @param providerId its machine's; empty if nobody has said it
 * @param providedIps those that its agent was told to use; empty if it was told none
 * @param taints as they are written
 */
public record CloudNodeView(
    String name,
    String providerId,
    boolean isBeingDeleted,
    boolean isReady,
    Map<String, String> labels,
    String providedIps,
    JsonArray taints,
    List<NodeAddress> addresses) {

  public static CloudNodeView read(JsonObject node) {
    Metadata metadata = Metadata.of(node);
    JsonObject spec = node.object("spec");
    Map<String, String> labels = new TreeMap<>();
    JsonObject tree = node.object("metadata").object("labels");
    tree.names().forEach(name -> labels.put(name, tree.text(name, "")));
    return new CloudNodeView(
        metadata.name(),
        spec.text("providerID", ""),
        metadata.isBeingDeleted(),
        NodeView.read(node).ready(),
        labels,
        metadata.annotation(WellKnownAnnotations.NODE_ADDRESS_PROVIDED).orElse(""),
        spec.array("taints"),
        Views.list(node.object("status").array("addresses"), NodeAddress::read));
  }

  public boolean hasTaint(String key) {
    return taints.objects().stream().anyMatch(taint -> Taint.read(taint).key().equals(key));
  }

  /** Whether it waits for its cloud to describe it. */
  public boolean isUninitialized() {
    return hasTaint(WellKnownTaints.UNINITIALIZED);
  }
}
