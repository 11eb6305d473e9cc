package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.SandboxSpec.HostPort;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/**
 * What is written down of a pod, for this agent and the next.
 *
 * @param cgroup its group
 * @param logs the directory of its containers' logs; empty for one in the sandbox's own, where
 *     older agents have them
 */
record SandboxState(
    PodId pod,
    String hostname,
    boolean hostNetwork,
    boolean hostPid,
    boolean hostIpc,
    boolean sharesProcesses,
    List<HostPort> ports,
    List<String> addresses,
    String cgroup,
    String logs,
    Instant created) {

  static SandboxState of(
      SandboxSpec spec, List<String> addresses, String cgroup, String logs, Instant created) {
    return new SandboxState(
        spec.pod(),
        spec.hostname(),
        spec.hostNetwork(),
        spec.hostPid(),
        spec.hostIpc(),
        spec.sharesProcesses(),
        spec.ports(),
        List.copyOf(addresses),
        cgroup,
        logs,
        created);
  }

  JsonObject toJson() {
    return new JsonObject.Builder()
        .put("namespace", pod.namespace())
        .put("name", pod.name())
        .put("uid", pod.uid())
        .put("hostname", hostname)
        .put("hostNetwork", hostNetwork)
        .put("hostPid", hostPid)
        .put("hostIpc", hostIpc)
        .put("sharesProcesses", sharesProcesses)
        .put("ports", JsonArray.copyOf(ports.stream().map(SandboxState::toJson).toList()))
        .put("addresses", JsonArray.copyOf(addresses))
        .put("cgroup", cgroup)
        .put("logs", logs)
        .put("created", created.toString())
        .build();
  }

  private static JsonObject toJson(HostPort port) {
    return new JsonObject.Builder()
        .put("protocol", port.protocol())
        .put("hostAddress", port.hostAddress())
        .put("hostPort", (long) port.hostPort())
        .put("containerPort", (long) port.containerPort())
        .build();
  }

  static SandboxState read(JsonObject json) {
    return new SandboxState(
        new PodId(json.text("namespace", ""), json.text("name", ""), json.text("uid", "")),
        json.text("hostname", ""),
        json.flag("hostNetwork", false),
        json.flag("hostPid", false),
        json.flag("hostIpc", false),
        json.flag("sharesProcesses", false),
        json.array("ports").objects().stream().map(SandboxState::readPort).toList(),
        json.array("addresses").texts(),
        json.text("cgroup", ""),
        json.text("logs", ""),
        Instant.parse(json.text("created", "")));
  }

  private static HostPort readPort(JsonObject json) {
    return new HostPort(
        json.text("protocol", "TCP"),
        json.text("hostAddress", ""),
        (int) json.integer("hostPort").orElse(0),
        (int) json.integer("containerPort").orElse(0));
  }
}
