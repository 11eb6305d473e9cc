package dev.berth.policy.endpoint;

import dev.berth.model.core.Condition;
import dev.berth.model.core.PodPhase;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A pod as a service sees it. Whoever keeps slices holds one of these for each pod of a service, so
 * it holds nothing else.
 *
 * @param addresses of both families, in the pod's order
 * @param finished whether it will never serve again
 * @param ports those that have names, since only they are looked up
 */
public record EndpointPod(
    String namespace,
    String name,
    String uid,
    List<String> addresses,
    String nodeName,
    String hostname,
    String subdomain,
    boolean ready,
    boolean terminating,
    boolean finished,
    List<NamedPort> ports) {

  /** A port of a container that services may call by its name. */
  public record NamedPort(String name, String protocol, long port) {}

  public static EndpointPod read(JsonObject pod) {
    Metadata metadata = Metadata.of(pod);
    JsonObject spec = pod.object("spec");
    JsonObject status = pod.object("status");
    return new EndpointPod(
        metadata.namespace(),
        metadata.name(),
        metadata.uid(),
        addresses(status),
        spec.text("nodeName", ""),
        spec.text("hostname", ""),
        spec.text("subdomain", ""),
        Conditions.isTrue(status.array("conditions"), Condition.READY),
        metadata.isBeingDeleted(),
        PodPhase.of(status.text("phase", "")).finished(),
        ports(spec));
  }

  private static List<String> addresses(JsonObject status) {
    List<String> all =
        status.array("podIPs").objects().stream().map(ip -> ip.text("ip", "")).toList();
    String only = status.text("podIP", "");
    return all.isEmpty() && !only.isEmpty() ? List.of(only) : all;
  }

  /** The named ports of all containers that run beside each other; sidecars are among them. */
  private static List<NamedPort> ports(JsonObject spec) {
    List<NamedPort> ports = new ArrayList<>();
    for (JsonObject container : spec.array("containers").objects()) {
      addPorts(container, ports);
    }
    for (JsonObject container : spec.array("initContainers").objects()) {
      if (container.text("restartPolicy", "").equals("Always")) {
        addPorts(container, ports);
      }
    }
    return List.copyOf(ports);
  }

  private static void addPorts(JsonObject container, List<NamedPort> ports) {
    for (JsonObject port : container.array("ports").objects()) {
      String name = port.text("name", "");
      if (!name.isEmpty()) {
        ports.add(
            new NamedPort(
                name, port.text("protocol", "TCP"), port.integer("containerPort").orElse(0)));
      }
    }
  }
}
