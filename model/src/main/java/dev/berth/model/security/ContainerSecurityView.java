package dev.berth.model.security;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A container as those see it who judge how safe it is.
 *
 * @param hostPorts the ports of the host that it takes
 * @param handlerHosts the hosts that its probes and handlers name
 */
public record ContainerSecurityView(
    String name, SecurityContextView context, List<Long> hostPorts, List<String> handlerHosts) {

  static ContainerSecurityView read(JsonObject container) {
    return new ContainerSecurityView(
        container.text("name", ""),
        SecurityContextView.of(container),
        container.array("ports").objects().stream()
            .map(port -> port.integer("hostPort").orElse(0))
            .filter(port -> port != 0)
            .toList(),
        hosts(container));
  }

  private static List<String> hosts(JsonObject container) {
    JsonObject lifecycle = container.object("lifecycle");
    List<String> hosts = new ArrayList<>();
    for (JsonObject handler :
        List.of(
            container.object("livenessProbe"),
            container.object("readinessProbe"),
            container.object("startupProbe"),
            lifecycle.object("postStart"),
            lifecycle.object("preStop"))) {
      hosts.add(handler.object("httpGet").text("host", ""));
      hosts.add(handler.object("tcpSocket").text("host", ""));
    }
    hosts.removeIf(String::isEmpty);
    return List.copyOf(hosts);
  }
}
