package dev.berth.cli.options;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.controllers.nodeipam.IpamSettings;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import dev.berth.policy.cidr.NodeRange;
import dev.berth.policy.service.ServiceNetwork;
import dev.berth.policy.service.ServiceRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which addresses nodes get, by kube-controller-manager's flags and rules. */
public final class IpamOptions {
  private static final int USUAL_IPV4 = 24;
  private static final int USUAL_IPV6 = 64;
  private static final int MOST_FAMILIES = 2;
  private static final int SHORTEST_IPV6_SERVICES = 64;

  /** Eight addresses at least. */
  private static final int FEWEST_SERVICE_BITS = 3;

  /** For pods of a cluster that nobody has planned. */
  public static final String USUAL_CLUSTER = "10.244.0.0/16";

  private static final Option ALLOCATE =
      new Option(
          "--allocate-node-cidrs",
          "[=true|false]",
          "Allocates a pod CIDR to each node (default: true in berth up, unless its nodes are hollow;"
              + " else false).");
  private static final Option CLUSTER =
      new Option(
          "--cluster-cidr",
          "CIDR[,CIDR]",
          "The CIDRs to allocate from: one for IPv4, one for IPv6, or one of each (default in berth"
              + " up: %s).".formatted(USUAL_CLUSTER));
  private static final Option MASK =
      new Option(
          "--node-cidr-mask-size",
          "N",
          "The mask size of a node's CIDR in a single-stack cluster (default: %d for IPv4, %d for"
                  .formatted(USUAL_IPV4, USUAL_IPV6)
              + " IPv6).");
  private static final Option MASK_IPV4 =
      new Option(
          "--node-cidr-mask-size-ipv4",
          "N",
          "The same for IPv4 (default: %d).".formatted(USUAL_IPV4));
  private static final Option MASK_IPV6 =
      new Option(
          "--node-cidr-mask-size-ipv6",
          "N",
          "The same for IPv6 (default: %d).".formatted(USUAL_IPV6));
  private static final Option SERVICES =
      new Option(
          "--service-cluster-ip-range",
          "CIDR[,CIDR]",
          "The CIDRs of services: one, or one of each family, the usual one first. berth up gives"
              + " services their cluster IPs of them; nodes get none of them (default: %s with berth"
                  .formatted(ServiceNetwork.DEFAULT.cidrs().getFirst())
              + " up, otherwise none).");

  public static final List<Option> OPTIONS =
      List.of(ALLOCATE, CLUSTER, MASK, MASK_IPV4, MASK_IPV6, SERVICES);

  private IpamOptions() {}

  /**
   * What the flags say; empty if nodes get no ranges.
   *
   * @param services reserved if the flags do not say what is
   * @param usual what nodes get ranges of if the flags say nothing; empty for none
   */
  public static Optional<IpamSettings> read(
      Arguments arguments, List<Cidr> services, Optional<Cidr> usual) {
    boolean allocates =
        arguments.has(ALLOCATE.name()) ? FlagValues.flag(arguments, ALLOCATE) : usual.isPresent();
    if (!allocates) {
      for (Option option : OPTIONS) {
        if (!option.equals(SERVICES)
            && arguments.has(option.name())
            && !arguments.has(ALLOCATE.name())) {
          throw new UsageException(
              "%s has no effect without %s.".formatted(option.name(), ALLOCATE.name()));
        }
      }
      return Optional.empty();
    }
    List<Cidr> clusters =
        arguments.has(CLUSTER.name()) ? cidrs(arguments, CLUSTER) : usual.stream().toList();
    if (clusters.isEmpty()) {
      throw new UsageException(
          "%s needs %s, such as 10.244.0.0/16.".formatted(ALLOCATE.name(), CLUSTER.name()));
    }
    List<NodeRange> ranges = new ArrayList<>();
    for (Cidr cluster : clusters) {
      ranges.add(range(arguments, cluster, clusters.size() > 1));
    }
    List<Cidr> said = cidrs(arguments, SERVICES);
    return Optional.of(new IpamSettings(ranges, arguments.has(SERVICES.name()) ? said : services));
  }

  /** The ranges that services get their addresses of; none if the flags do not say. */
  public static List<ServiceRange> services(Arguments arguments) {
    return cidrs(arguments, SERVICES).stream().map(IpamOptions::services).toList();
  }

  private static ServiceRange services(Cidr cidr) {
    int longest = cidr.family().bits() - FEWEST_SERVICE_BITS;
    int shortest = cidr.family() == Family.IPV6 ? SHORTEST_IPV6_SERVICES : 0;
    if (cidr.length() > longest || cidr.length() < shortest) {
      throw new UsageException(
          "%s needs a prefix length between %d and %d for %s, not %s."
              .formatted(SERVICES.name(), shortest, longest, cidr.family(), cidr));
    }
    return new ServiceRange(cidr);
  }

  private static NodeRange range(Arguments arguments, Cidr cluster, boolean dualStack) {
    Option own =
        switch (cluster.family()) {
          case IPV4 -> MASK_IPV4;
          case IPV6 -> MASK_IPV6;
        };
    Option other = own.equals(MASK_IPV4) ? MASK_IPV6 : MASK_IPV4;
    if (dualStack && arguments.has(MASK.name())) {
      throw new UsageException(
          "%s cannot be used in a dual-stack cluster; use %s and %s."
              .formatted(MASK.name(), MASK_IPV4.name(), MASK_IPV6.name()));
    }
    if (arguments.has(MASK.name()) && arguments.has(own.name())) {
      throw new UsageException("Use either %s or %s, not both.".formatted(MASK.name(), own.name()));
    }
    if (!dualStack && arguments.has(other.name())) {
      throw new UsageException(
          "%s cannot be used when all addresses are %s (%s is %s)."
              .formatted(other.name(), cluster.family(), CLUSTER.name(), cluster));
    }
    Option said = arguments.has(MASK.name()) ? MASK : own;
    int usual = cluster.family() == Family.IPV4 ? USUAL_IPV4 : USUAL_IPV6;
    int length = arguments.number(said.name(), usual, 0, cluster.family().bits());
    if (length < cluster.length() || length > NodeRange.longest(cluster)) {
      throw new UsageException(
          "%s must be between %d and %d because %s is %s, not %d."
              .formatted(
                  said.name(),
                  cluster.length(),
                  NodeRange.longest(cluster),
                  CLUSTER.name(),
                  cluster,
                  length));
    }
    return new NodeRange(cluster, length);
  }

  /** One range, or one of each family. */
  private static List<Cidr> cidrs(Arguments arguments, Option option) {
    List<Cidr> cidrs = new ArrayList<>();
    for (String text : arguments.list(option.name())) {
      cidrs.add(
          Cidr.parse(text.strip())
              .orElseThrow(() ->
                  new UsageException(
                      "%s must be a CIDR such as 10.244.0.0/16 or fd00:10:244::/56, or one"
                              .formatted(option.name())
                          + " of each family separated by a comma, not \"%s\".".formatted(text))));
    }
    if (cidrs.size() > MOST_FAMILIES
        || (cidrs.size() == MOST_FAMILIES
            && cidrs.getFirst().family() == cidrs.getLast().family())) {
      throw new UsageException(
          "%s takes at most one CIDR per family (IPv4, IPv6), not \"%s\"."
              .formatted(option.name(), arguments.text(option.name()).orElse("")));
    }
    return cidrs;
  }
}
