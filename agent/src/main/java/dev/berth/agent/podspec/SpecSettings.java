package dev.berth.agent.podspec;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a node sets for all of its pods.
 *
 * @param root the agent's directory, in which each pod has one under {@code pods}
 * @param clusterDomain such as {@code cluster.local}; empty for none
 * @param clusterDns the addresses of the cluster's name servers; none if there are none
 * @param resolverConfig the machine's, such as {@code /etc/resolv.conf}; empty for none
 * @param podPidsLimit how many processes and threads a pod may have
 * @param enforcesCpuLimits whether limits of processors are more than a weight
 */
public record SpecSettings(
    Path root,
    String clusterDomain,
    List<String> clusterDns,
    String resolverConfig,
    OptionalLong podPidsLimit,
    boolean enforcesCpuLimits) {
  public SpecSettings {
    clusterDns = List.copyOf(clusterDns);
  }

  public Path podDirectory(String uid) {
    return root.resolve("pods").resolve(uid);
  }
}
