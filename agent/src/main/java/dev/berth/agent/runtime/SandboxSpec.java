package dev.berth.agent.runtime;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the containers of a pod share.
 *
 * @param hostname as processes see it; the machine's own with the host's network
 * @param hostNetwork whether it has the machine's network instead of one with an address of its own
 * @param hostPid whether its processes see those of the machine
 * @param hostIpc whether it shares memory with processes of the machine
 * @param hostUsers whether its users are those of the machine; else it has some of its own
 * @param sharesProcesses whether its containers see each other's processes
 * @param dns what stands in /etc/resolv.conf
 * @param ports those of the machine that lead to it
 * @param sysctls kernel parameters of its namespaces, by name
 * @param limits of all its containers together, and its overhead
 * @param size what a runtime is told that gives it a machine of its own
 * @param labels its pod's, for runtimes that show them
 * @param annotations likewise
 * @param isPrivileged whether one of its containers is
 * @param runtimeHandler what runs it; empty for the usual
 */
public record SandboxSpec(
    PodId pod,
    String hostname,
    boolean hostNetwork,
    boolean hostPid,
    boolean hostIpc,
    boolean hostUsers,
    boolean sharesProcesses,
    Dns dns,
    List<HostPort> ports,
    Map<String, String> sysctls,
    Limits limits,
    Size size,
    Map<String, String> labels,
    Map<String, String> annotations,
    boolean isPrivileged,
    String runtimeHandler) {
  public SandboxSpec {
    ports = List.copyOf(ports);
    labels = Map.copyOf(labels);
    sysctls = Map.copyOf(sysctls);
    annotations = Map.copyOf(annotations);
  }

  /** The same with another handler. */
  public SandboxSpec withHandler(String handler) {
    return with(size, handler);
  }

  /** The same of another size. */
  public SandboxSpec withSize(Size other) {
    return with(other, runtimeHandler);
  }

  private SandboxSpec with(Size otherSize, String otherHandler) {
    return new SandboxSpec(
        pod,
        hostname,
        hostNetwork,
        hostPid,
        hostIpc,
        hostUsers,
        sharesProcesses,
        dns,
        ports,
        sysctls,
        limits,
        otherSize,
        labels,
        annotations,
        isPrivileged,
        otherHandler);
  }

  /**
   * How large a pod is.
   *
   * @param containers what its containers request and are limited to, limits of some of them, too
   * @param overhead what running it takes beside that, by its runtime class; empty for nothing
   */
  public record Size(Limits containers, Optional<Limits> overhead) {
    public static final Size NONE = new Size(Limits.NONE, Optional.empty());
  }

  /** The content of /etc/resolv.conf; the machine's own if all are empty. */
  public record Dns(List<String> servers, List<String> searches, List<String> options) {
    public Dns {
      servers = List.copyOf(servers);
      searches = List.copyOf(searches);
      options = List.copyOf(options);
    }
  }

  /**
   * A port of the machine that leads to a pod.
   *
   * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
   * @param hostAddress the address of the machine; empty for all
   */
  public record HostPort(String protocol, String hostAddress, int hostPort, int containerPort) {}
}
