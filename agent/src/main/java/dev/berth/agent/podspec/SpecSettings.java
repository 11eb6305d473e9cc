package dev.berth.agent.podspec;

import dev.berth.agent.runtime.CpuQuota;
import dev.berth.policy.swap.SwapRules;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * What a node sets for all of its pods.
 *
 * @param root the agent's directory, in which each pod has one under {@code pods}
 * @param cluster how pods find others by name; empty while that is not known yet
 * @param resolverConfig the machine's, such as {@code /etc/resolv.conf}; empty for none
 * @param podPidsLimit how many processes and threads a pod may have
 * @param cpuPeriod in which limits of processors hold; empty if they are a weight alone
 * @param swap what containers may swap
 * @param killsWholeContainers whether all processes of a container are killed when it has used up
 *     its memory, where the kernel can do that
 * @param usesImages whether containers run in images, never in the machine's own root
 * @param seccompByDefault whether containers that say nothing have the runtime's seccomp profile
 */
public record SpecSettings(
    Path root,
    Supplier<Optional<ClusterNames>> cluster,
    String resolverConfig,
    OptionalLong podPidsLimit,
    Optional<Duration> cpuPeriod,
    SwapRules swap,
    boolean killsWholeContainers,
    boolean usesImages,
    boolean seccompByDefault) {

  /**
   * How names of a cluster are found.
   *
   * @param domain such as {@code cluster.local}; empty for none
   * @param servers the addresses of the cluster's name servers; none if there are none
   */
  public record ClusterNames(String domain, List<String> servers) {
    static final ClusterNames NONE = new ClusterNames("", List.of());

    public ClusterNames {
      servers = List.copyOf(servers);
    }
  }

  /**
   * Those of a node that does not swap and has no images, in a cluster whose names are known;
   * limits of processors hold in the usual period.
   */
  public SpecSettings(
      Path root,
      String clusterDomain,
      List<String> clusterDns,
      String resolverConfig,
      OptionalLong podPidsLimit) {
    this(
        root,
        () -> Optional.of(new ClusterNames(clusterDomain, clusterDns)),
        resolverConfig,
        podPidsLimit,
        Optional.of(CpuQuota.USUAL_PERIOD),
        SwapRules.NO_SWAP,
        true,
        false,
        true);
  }

  String clusterDomain() {
    return cluster.get().orElse(ClusterNames.NONE).domain();
  }

  public Path podDirectory(String uid) {
    return root.resolve("pods").resolve(uid);
  }
}
