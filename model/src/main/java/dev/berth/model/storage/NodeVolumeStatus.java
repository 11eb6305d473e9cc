package dev.berth.model.storage;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * What the status of a node says about volumes, which it names as {@code kubernetes.io/csi/d^h}.
 *
 * @param inUse those that it uses or is about to
 * @param attached those that it was told are attached
 */
public record NodeVolumeStatus(List<String> inUse, List<String> attached) {

  public static NodeVolumeStatus read(JsonObject node) {
    JsonObject status = node.object("status");
    return new NodeVolumeStatus(
        status.array("volumesInUse").texts(),
        status.array("volumesAttached").objects().stream().map(v -> v.text("name", "")).toList());
  }
}
