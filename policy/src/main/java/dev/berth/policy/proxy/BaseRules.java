package dev.berth.policy.proxy;

import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a table has, whatever services there are: where packets come in, and which maps say what
 * becomes of them.
 *
 * <ul>
 *   <li>Before addresses are changed, what is not from a load balancer's source ranges is dropped.
 *   <li>Addresses of services and node ports lead to the chains of their services. Who is not in
 *       the cluster gets the node's address on the way, so that answers come back here; so does who
 *       reaches itself.
 *   <li>What is for a service without endpoints, or for a port that it does not have, is rejected,
 *       or dropped if endpoints are merely elsewhere. What pods send to an address of services that
 *       none has is dropped, so that it does not leave the cluster. Unlike upstream, what the
 *       machine sends is not: it may itself be in a network that the range of services covers.
 *   <li>What pods send that belongs to no connection is dropped: nobody would give it the service's
 *       address, and a client that gets it from the endpoint's resets its connection.
 *   <li>Pods on one bridge do not talk past the node, which has to change the addresses of answers
 *       as well: it does not tell them of shorter ways.
 * </ul>
 */
public final class BaseRules {
  static final String CLUSTER_IPS = "cluster-ips";
  static final String NODE_PORT_IPS = "nodeport-ips";
  static final String POD_RANGES = "pod-ranges";
  static final String HAIRPINS = "hairpin-connections";
  static final String SERVICES = "service-ips";
  static final String NODE_PORTS = "service-nodeports";
  static final String NO_ENDPOINTS = "no-endpoint-services";
  static final String NO_ENDPOINT_NODE_PORTS = "no-endpoint-nodeports";
  static final String FIREWALL = "firewall-ips";
  static final String REJECT = "goto reject-chain";

  /** A bit that nobody else uses, but for other proxies of Kubernetes, which mean the same. */
  static final String MARK_FOR_MASQUERADE = "meta mark set meta mark or 0x4000";

  private final Family family;
  private final String bridge;

  /**
   * @param bridge of this node's pods: those on the bridge of another agent are of another cluster,
   *     which may have the same addresses for its services
   */
  public BaseRules(Family family, String bridge) {
    this.family = family;
    this.bridge = bridge;
  }

  /** The word for a family's headers. */
  static String header(Family family) {
    return family == Family.IPV4 ? "ip" : "ip6";
  }

  static String addressType(Family family) {
    return family == Family.IPV4 ? "ipv4_addr" : "ipv6_addr";
  }

  /** The sets, maps and chains that are there from the first moment on, as commands. */
  public List<String> declarations(String table) {
    String address = addressType(family);
    String port = "inet_proto . inet_service";
    List<String> commands = new ArrayList<>();
    set(commands, table, CLUSTER_IPS, "type " + address);
    set(commands, table, NODE_PORT_IPS, "type " + address);
    set(commands, table, POD_RANGES, "type %s; flags interval".formatted(address));
    set(commands, table, HAIRPINS, "type %s . %s . %s".formatted(address, address, port));
    for (String map : List.of(SERVICES, NO_ENDPOINTS, FIREWALL)) {
      map(commands, table, map, "%s . %s".formatted(address, port));
    }
    for (String map : List.of(NODE_PORTS, NO_ENDPOINT_NODE_PORTS)) {
      map(commands, table, map, port);
    }
    chain(commands, table, "filter-prerouting", "filter hook prerouting priority dstnat - 10");
    chain(commands, table, "filter-output-early", "filter hook output priority -110");
    chain(commands, table, "filter-input", "filter hook input priority filter");
    chain(commands, table, "filter-forward", "filter hook forward priority filter");
    chain(commands, table, "filter-output", "filter hook output priority filter");
    chain(commands, table, "nat-prerouting", "nat hook prerouting priority dstnat");
    chain(commands, table, "nat-output", "nat hook output priority -100");
    chain(commands, table, "nat-postrouting", "nat hook postrouting priority srcnat");
    return commands;
  }

  private static void set(List<String> commands, String table, String name, String what) {
    commands.add("add set %s %s { %s; }".formatted(table, name, what));
  }

  private static void map(List<String> commands, String table, String name, String key) {
    commands.add("add map %s %s { type %s : verdict; }".formatted(table, name, key));
  }

  private static void chain(List<String> commands, String table, String name, String hook) {
    commands.add("add chain %s %s { type %s; }".formatted(table, name, hook));
  }

  /**
   * What services share, on a node as it is.
   *
   * @param serviceRanges from which services get their addresses; none if that is not known
   */
  public RuleFragment fragment(ProxyNode node, List<Cidr> serviceRanges) {
    String ip = header(family);
    String destination = ip + " daddr . meta l4proto . th dport vmap @";
    String nodePort = ip + " daddr @" + NODE_PORT_IPS + " meta l4proto . th dport vmap @";
    String fromOthers = "iifname != \"%s\" iifname \"berth-*\" return".formatted(bridge);
    List<String> ranges = node.podRanges(family);
    RuleFragment.Builder rules =
        new RuleFragment.Builder()
            .rule("filter-prerouting", fromOthers)
            .rule("filter-prerouting", "ct state new jump firewall-check")
            .rule("filter-output-early", "ct state new jump firewall-check")
            .rule("filter-input", fromOthers)
            .rule("filter-input", "ct state new jump nodeport-endpoints-check")
            .rule("filter-input", "ct state new jump service-endpoints-check")
            .rule("filter-forward", fromOthers)
            .rule("filter-forward", "ct state new jump service-endpoints-check")
            .rule("filter-forward", "ct state new jump cluster-ips-check")
            .rule("filter-output", "ct state new jump service-endpoints-check")
            .rule("filter-output", "ct state new jump cluster-ips-check")
            .rule("filter-output", noShorterWays())
            .rule("nat-prerouting", fromOthers)
            .rule("nat-prerouting", "jump services")
            .rule("nat-output", "jump services")
            .rule("nat-postrouting", "jump masquerading")
            .rule("firewall-check", destination + FIREWALL)
            .rule("service-endpoints-check", destination + NO_ENDPOINTS)
            .rule("nodeport-endpoints-check", nodePort + NO_ENDPOINT_NODE_PORTS)
            .rule("cluster-ips-check", ip + " daddr @" + CLUSTER_IPS + " reject")
            .rule("reject-chain", "reject")
            .rule(
                "masquerading",
                "meta mark and 0x4000 != 0 meta mark set meta mark xor 0x4000 masquerade"
                    + " fully-random")
            .rule(
                "masquerading",
                "ct status dnat %s saddr . %s daddr . meta l4proto . th dport @%s masquerade fully-random"
                    .formatted(ip, ip, HAIRPINS));
    // One may be in another, which is one too many for a set.
    String services =
        serviceRanges.stream()
            .filter(each -> each.family() == family)
            .filter(each ->
                serviceRanges.stream()
                    .noneMatch(other -> other.length() < each.length() && other.contains(each)))
            .map(Cidr::toString)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
    if (!services.isEmpty() && !ranges.isEmpty()) {
      rules
          .rule("cluster-ips-check", "ct status dnat return")
          .rule(
              "cluster-ips-check",
              "%s saddr @%s %s daddr { %s } drop".formatted(ip, POD_RANGES, ip, services));
    }
    if (!ranges.isEmpty()) {
      rules.rule("filter-forward", "ct state invalid %s saddr @%s drop".formatted(ip, POD_RANGES));
      // Somebody may route the range of services to any node from outside.
      rules.rule(
          "services",
          "%s daddr @%s %s saddr != @%s %s"
              .formatted(ip, CLUSTER_IPS, ip, POD_RANGES, MARK_FOR_MASQUERADE));
    }
    rules.rule("services", destination + SERVICES).rule("services", nodePort + NODE_PORTS);
    ranges.forEach(range -> rules.element(POD_RANGES, range));
    node.addresses(family).forEach(address -> rules.element(NODE_PORT_IPS, address));
    return rules.build();
  }

  private String noShorterWays() {
    String redirect = family == Family.IPV4 ? "icmp type redirect" : "icmpv6 type nd-redirect";
    return "oifname \"%s\" %s drop".formatted(bridge, redirect);
  }
}
