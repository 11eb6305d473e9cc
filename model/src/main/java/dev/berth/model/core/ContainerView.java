package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * A container or an init container. Amounts are the tree's own objects; see {@link ResourceList}.
 *
 * @param alwaysRestarts whether its own restart policy is Always, which makes an init container a
 *     sidecar
 */
public record ContainerView(
    String name,
    JsonObject requests,
    JsonObject limits,
    boolean alwaysRestarts,
    List<ContainerPort> ports) {

  public static ContainerView read(JsonObject container) {
    JsonObject resources = container.object("resources");
    return new ContainerView(
        container.text("name", ""),
        resources.object("requests"),
        resources.object("limits"),
        container.text("restartPolicy", "").equals("Always"),
        Views.list(container.array("ports"), ContainerPort::read));
  }
}
