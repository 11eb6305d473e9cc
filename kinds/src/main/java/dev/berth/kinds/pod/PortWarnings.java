package dev.berth.kinds.pod;

import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is odd about the ports of a pod's containers, which share one network. */
final class PortWarnings {
  private record Port(
      String name,
      long hostPort,
      long containerPort,
      String protocol,
      String hostIp,
      FieldPath at) {
    static Port of(JsonObject port, FieldPath at) {
      return new Port(
          port.text("name", ""),
          port.integer("hostPort").orElse(0),
          port.integer("containerPort").orElse(0),
          port.text("protocol", ""),
          port.text("hostIP", ""),
          at);
    }
  }

  private PortWarnings() {}

  static void add(List<PodContainers.Placed> containers, List<String> warnings) {
    List<Port> all = new ArrayList<>();
    for (PodContainers.Placed placed : containers) {
      List<JsonObject> ports = placed.container().array("ports").objects();
      for (int i = 0; i < ports.size(); i++) {
        all.add(Port.of(ports.get(i), placed.at().field("ports").index(i)));
      }
    }
    Map<String, List<Port>> byNumber = new HashMap<>();
    for (Port port : all) {
      if (!port.hostIp.isEmpty() && port.hostPort == 0) {
        warnings.add(
            "%s: hostIP set without hostPort: {Name:%s HostPort:0 ContainerPort:%d Protocol:%s HostIP:%s}"
                .formatted(port.at, port.name, port.containerPort, port.protocol, port.hostIp));
      }
      List<Port> others =
          byNumber.computeIfAbsent(
              port.containerPort + "/" + port.protocol, _ -> new ArrayList<>());
      for (Port other : others) {
        String how = conflict(port, other);
        if (how != null) {
          warnings.add("%s: %s port definition with %s".formatted(port.at, how, other.at));
        }
      }
      if (others.size() < ObjectWarnings.MOST) {
        others.add(port);
      }
      if (warnings.size() >= ObjectWarnings.MOST) {
        return;
      }
    }
    names(all, warnings);
  }

  private static @Nullable String conflict(Port port, Port other) {
    if (port.hostIp.equals(other.hostIp) && port.hostPort == other.hostPort) {
      return "duplicate";
    }
    if (port.hostPort == 0 || other.hostPort == 0) {
      return "overlapping";
    }
    boolean oneForAll = port.hostIp.isEmpty() != other.hostIp.isEmpty();
    return port.hostPort == other.hostPort && oneForAll ? "dangerously ambiguous" : null;
  }

  private static void names(List<Port> all, List<String> warnings) {
    Map<String, FieldPath> byName = new HashMap<>();
    for (Port port : all) {
      if (port.name.isEmpty()) {
        continue;
      }
      FieldPath first = byName.putIfAbsent(port.name, port.at);
      if (first != null) {
        warnings.add(
            "%s: duplicate port name \"%s\" with %s, services and probes that select ports by name will use %s"
                .formatted(port.at, port.name, first, first));
      }
    }
  }
}
