package dev.berth.model.device;

import dev.berth.model.core.NodeSelector;
import dev.berth.model.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * From which nodes devices can be reached.
 *
 * @param nodeName the only one; empty if that is not how it is said
 * @param nodeSelector as it is written; null if there is none
 */
public record NodePlace(
    String nodeName, boolean allNodes, @Nullable JsonObject nodeSelector, NodeSelector selector) {

  public static NodePlace read(JsonObject holder) {
    boolean selects = holder.has("nodeSelector");
    JsonObject selector = holder.object("nodeSelector");
    return new NodePlace(
        holder.text("nodeName", ""),
        holder.flag("allNodes", false),
        selects ? selector : null,
        NodeSelector.read(selector));
  }

  /** Whether anything is said at all. */
  public boolean isSaid() {
    return !nodeName.isEmpty() || allNodes || nodeSelector != null;
  }
}
