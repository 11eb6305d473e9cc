package dev.berth.agent.runtime;

import java.util.List;
import java.util.Map;

/**
 * What the containers of a pod share.
 *
 * @param hostname as processes see it; the machine's own with the host's network
 * @param hostNetwork whether it has the machine's network instead of one with an address of its own
 * @param hostPid whether its processes see those of the machine
 * @param hostIpc whether it shares memory with processes of the machine
 * @param sharesProcesses whether its containers see each other's processes
 * @param dns what stands in /etc/resolv.conf
 * @param ports those of the machine that lead to it
 * @param sysctls kernel parameters of its namespaces, by name
 * @param limits of all its containers together, and its overhead
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
    boolean sharesProcesses,
    Dns dns,
    List<HostPort> ports,
    Map<String, String> sysctls,
    Limits limits,
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
    return new SandboxSpec(
        pod,
        hostname,
        hostNetwork,
        hostPid,
        hostIpc,
        sharesProcesses,
        dns,
        ports,
        sysctls,
        limits,
        labels,
        annotations,
        isPrivileged,
        handler);
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
