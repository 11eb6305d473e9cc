package dev.berth.cli.node;

import dev.berth.agent.config.AgentSettings;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.model.resource.NameRules;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.dns.ClusterDnsService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How pods find and reach others, and what of that is left to whoever brings it. */
public final class NetworkOptions {
  private static final Option CLUSTER_DNS =
      new Option(
          "--cluster-dns",
          "IP,...",
          "The name servers of pods (default: what the cluster's Service kube-dns says, if nodes"
              + " serve it, or else this machine's own).");
  private static final Option CLUSTER_DOMAIN =
      new Option(
          "--cluster-domain",
          "NAME",
          "The domain of the cluster's names (default: what the Service kube-dns says).");
  private static final Option NEW_CLUSTER_DOMAIN =
      new Option(
          CLUSTER_DOMAIN.name(),
          "NAME",
          "The domain of the cluster's names (default: %s)."
              .formatted(ClusterDnsService.USUAL_DOMAIN));
  private static final Option NO_SERVICES =
      Option.flag(
          "--no-service-proxy",
          "Does not lead packets to services to their endpoints, because kube-proxy or a network"
              + " plugin does; serves no names of the cluster either, which pods reach by a"
              + " service.");
  private static final Option NO_ROUTES =
      Option.flag(
          "--no-node-routes",
          "Makes no routes to other nodes' pods, because a network plugin or a router does.");
  private static final Option NO_NAMES =
      Option.flag(
          "--no-cluster-dns",
          "Serves no names of the cluster to pods, because CoreDNS or another server does.");

  /** Those of a node. */
  static final List<Option> OF_THE_NODE = List.of(CLUSTER_DNS, NO_SERVICES, NO_ROUTES);

  /** Those of a node that is its own process. */
  static final List<Option> STANDALONE = List.of(CLUSTER_DOMAIN, NO_NAMES);

  /** Those of a cluster, whether or not the server's machine is a node. */
  public static final List<Option> OF_THE_CLUSTER = List.of(NEW_CLUSTER_DOMAIN, NO_NAMES);

  private NetworkOptions() {}

  /** What they say, beside what a file says. */
  static AgentSettings.Dns read(Arguments arguments, AgentSettings.Dns file) {
    List<String> servers = new ArrayList<>();
    for (String text : arguments.list(CLUSTER_DNS.name())) {
      servers.add(
          Cidr.parseAddress(text.strip())
              .map(Cidr::address)
              .orElseThrow(() ->
                  new UsageException(
                      "%s must be IP addresses with commas between them, not \"%s\"."
                          .formatted(CLUSTER_DNS.name(), text))));
    }
    return new AgentSettings.Dns(
        servers.isEmpty() ? file.servers() : servers,
        domain(arguments).orElse(file.domain()),
        file.resolvConf(),
        new AgentSettings.OwnNetwork(
            !arguments.has(NO_SERVICES.name()),
            !arguments.has(NO_ROUTES.name()),
            servesNames(arguments)));
  }

  /** Pods reach the name server by a service. */
  private static boolean servesNames(Arguments arguments) {
    return !arguments.has(NO_NAMES.name()) && !arguments.has(NO_SERVICES.name());
  }

  /** The domain of a new cluster's names; empty if nodes do not serve them. */
  public static Optional<String> served(Arguments arguments) {
    Optional<String> domain = domain(arguments);
    return servesNames(arguments)
        ? domain.or(() -> Optional.of(ClusterDnsService.USUAL_DOMAIN))
        : Optional.empty();
  }

  private static Optional<String> domain(Arguments arguments) {
    Optional<String> domain = arguments.text(CLUSTER_DOMAIN.name());
    domain
        .filter(name -> !NameRules.dns1123Subdomain(name).isEmpty())
        .ifPresent(name -> {
          throw new UsageException(
              "%s must be a DNS name such as %s, not \"%s\"."
                  .formatted(CLUSTER_DOMAIN.name(), ClusterDnsService.USUAL_DOMAIN, name));
        });
    return domain;
  }
}
