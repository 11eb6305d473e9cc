package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.Limits;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.SandboxSpec;
import dev.berth.agent.runtime.SandboxSpec.Dns;
import dev.berth.agent.runtime.SandboxSpec.HostPort;
import java.util.List;
import java.util.Map;

/** A pod for tests, with what differs from the usual. */
public record TestPod(
    String name,
    boolean hostNetwork,
    boolean hostPid,
    boolean sharesProcesses,
    List<HostPort> ports,
    Map<String, String> sysctls,
    Limits limits) {

  public static TestPod named(String name) {
    return new TestPod(name, false, false, false, List.of(), Map.of(), Limits.NONE);
  }

  public TestPod withHostNetwork() {
    return new TestPod(name, true, hostPid, sharesProcesses, ports, sysctls, limits);
  }

  public TestPod withHostPid() {
    return new TestPod(name, hostNetwork, true, sharesProcesses, ports, sysctls, limits);
  }

  public TestPod withSharedProcesses() {
    return new TestPod(name, hostNetwork, hostPid, true, ports, sysctls, limits);
  }

  public TestPod withPort(HostPort port) {
    return new TestPod(name, hostNetwork, hostPid, sharesProcesses, List.of(port), sysctls, limits);
  }

  public TestPod withSysctl(String key, String value) {
    return new TestPod(
        name, hostNetwork, hostPid, sharesProcesses, ports, Map.of(key, value), limits);
  }

  public PodId id() {
    return new PodId("default", name, "uid-" + name);
  }

  public SandboxSpec sandbox() {
    return new SandboxSpec(
        id(),
        name,
        hostNetwork,
        hostPid,
        false,
        true,
        sharesProcesses,
        new Dns(List.of("10.96.0.10"), List.of("default.svc.cluster.local"), List.of("ndots:5")),
        ports,
        sysctls,
        limits,
        SandboxSpec.Size.NONE,
        Map.of(),
        Map.of(),
        false,
        "");
  }
}
