package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;

/**
 * A port of a container.
 *
 * @param hostPort the port it takes on the node, or 0
 * @param hostIp the node's address it takes it on; empty means all
 */
public record ContainerPort(long containerPort, long hostPort, String protocol, String hostIp) {

  public static ContainerPort read(JsonObject port) {
    return new ContainerPort(
        port.integer("containerPort").orElse(0),
        port.integer("hostPort").orElse(0),
        port.text("protocol", "TCP"),
        port.text("hostIP", ""));
  }
}
