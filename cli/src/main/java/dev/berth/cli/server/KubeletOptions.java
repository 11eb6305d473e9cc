package dev.berth.cli.server;

import dev.berth.apiserver.NodeSettings;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/** The options that say how the server reaches the kubelets of its nodes. */
final class KubeletOptions {
  private static final NodeSettings USUAL = NodeSettings.DEFAULT;
  private static final Set<String> TYPES =
      Set.of("Hostname", "InternalDNS", "InternalIP", "ExternalDNS", "ExternalIP");

  private static final Option ADDRESS_TYPES =
      new Option(
          "--kubelet-preferred-address-types",
          "TYPE,...",
          "Which of a node's addresses to use for logs, exec and the like, the most preferred first"
              + " (default: %s).".formatted(String.join(",", USUAL.addressTypes())));
  private static final Option INSECURE =
      Option.flag(
          "--kubelet-insecure-tls",
          "Talks to nodes whatever certificates they serve with, such as kubelets that sign their own"
              + " (serverTLSBootstrap: false), as kube-apiserver does by default: whoever is between"
              + " server and node can read logs and commands (default: only certificates of the"
              + " cluster's authority are accepted).");
  private static final Option NO_METRICS =
      Option.flag(
          "--no-metrics-api",
          "Does not serve metrics.k8s.io (kubectl top), because another server does.");

  private KubeletOptions() {}

  static List<Option> options() {
    return List.of(ADDRESS_TYPES, INSECURE, NO_METRICS);
  }

  /**
   * @param address where the server listens: one that is for this machine alone may also reach
   *     nodes and pods at its loopback address
   */
  static NodeSettings read(Arguments arguments, InetSocketAddress address) {
    List<String> types =
        arguments
            .text(ADDRESS_TYPES.name())
            .map(text -> List.of(text.split(",", -1)))
            .orElse(USUAL.addressTypes());
    types.stream()
        .filter(type -> !TYPES.contains(type))
        .findFirst()
        .ifPresent(type -> {
          throw new UsageException(
              "%s: \"%s\" is not a type of address; there are Hostname, InternalDNS, InternalIP,"
                      .formatted(ADDRESS_TYPES.name(), type)
                  + " ExternalDNS and ExternalIP.");
        });
    boolean local = !address.isUnresolved() && address.getAddress().isLoopbackAddress();
    return new NodeSettings(
        types, local, !arguments.has(INSECURE.name()), !arguments.has(NO_METRICS.name()));
  }
}
