package dev.berth.model.network;

import dev.berth.model.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * A port of a service.
 *
 * @param targetPort the port of the pods that it leads to; 0 if that is given by name, or is the
 *     same
 * @param targetPortName the name of the pods' port that it leads to; empty if that is given by
 *     number, or is the same
 * @param nodePort 0 if it has none
 * @param appProtocol null if nobody says
 */
public record ServicePort(
    String name,
    String protocol,
    long port,
    long targetPort,
    String targetPortName,
    long nodePort,
    @Nullable String appProtocol) {

  public static ServicePort read(JsonObject port) {
    Object target = port.get("targetPort");
    return new ServicePort(
        port.text("name", ""),
        port.text("protocol", "TCP"),
        port.integer("port").orElse(0),
        target instanceof Long number ? Math.max(0, number) : 0,
        target instanceof String name ? name : "",
        port.integer("nodePort").orElse(0),
        port.text("appProtocol"));
  }
}
