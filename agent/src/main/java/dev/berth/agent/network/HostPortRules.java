package dev.berth.agent.network;

import dev.berth.agent.nativecalls.ConnectionTracking;
import dev.berth.agent.nativecalls.ConnectionTracking.Flow;
import dev.berth.agent.runtime.SandboxSpec.HostPort;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rules of the kernel that lead packets for host ports to pods, as the plugin portmap of CNI makes
 * them: pods see who asked, and go on to be reached while no agent runs. What is sent over the
 * machine's loopback never gets here.
 *
 * <p>The table is written anew with each change, in one transaction, so that nothing is left over
 * from an agent that died. Connections that exist go on: the kernel remembers where they lead.
 */
final class HostPortRules {
  private static final Logger LOG = LoggerFactory.getLogger("pod-network");

  private final Nft nft;
  private final String table;
  private final SortedMap<String, Mappings> byPod = new TreeMap<>();

  private record Mappings(List<HostPort> ports, List<String> addresses) {}

  /**
   * @param bridge of the node's pods
   */
  HostPortRules(Nft nft, String bridge) {
    this.nft = nft;
    this.table = table(bridge);
  }

  private static String table(String bridge) {
    return "inet " + bridge + "-ports";
  }

  /** Removes what an agent has left. */
  static void remove(String bridge) throws IOException {
    Optional<Nft> nft = Nft.findQuietly();
    if (nft.isPresent()) {
      nft.get().removeTable(table(bridge));
    }
  }

  /** Takes note of a pod's ports, for the next time that rules are written. */
  void note(String podUid, List<HostPort> ports, List<String> addresses) {
    byPod.put(podUid, new Mappings(ports, addresses));
  }

  /** Takes note that a pod has none any more; whether it had some. */
  boolean forget(String podUid) {
    return byPod.remove(podUid) != null;
  }

  /** Makes the kernel's rules those of all pods. */
  void write() throws IOException {
    if (byPod.isEmpty()) {
      nft.removeTable(table);
    } else {
      nft.run(commands(table, byPod.values()));
      forgetFlows();
    }
  }

  /** Packets of UDP go on to where they were led before, for as long as somebody sends them. */
  private void forgetFlows() {
    Set<Integer> udp =
        byPod.values().stream()
            .flatMap(each -> each.ports.stream())
            .filter(port -> port.protocol().equals("UDP"))
            .map(HostPort::hostPort)
            .collect(Collectors.toSet());
    if (udp.isEmpty()) {
      return;
    }
    try (ConnectionTracking tracking = new ConnectionTracking()) {
      for (Flow flow : tracking.udpFlows()) {
        if (udp.contains(flow.destinationPort()) && !leadsToPod(flow)) {
          tracking.remove(flow);
        }
      }
    } catch (IOException e) {
      LOG.atDebug().setCause(e).log("cannot look for packets' old ways");
    }
  }

  private boolean leadsToPod(Flow flow) {
    Optional<Cidr> answering = Cidr.parseAddress(flow.answering());
    return byPod.values().stream()
        .anyMatch(pod ->
            pod.addresses.stream().map(Cidr::parseAddress).anyMatch(answering::equals)
                && pod.ports.stream()
                    .anyMatch(port ->
                        port.hostPort() == flow.destinationPort()
                            && port.containerPort() == flow.answeringPort()));
  }

  private static String commands(String table, Iterable<Mappings> pods) {
    StringBuilder text = new StringBuilder();
    text.append("add table %1$s\ndelete table %1$s\nadd table %1$s\n".formatted(table));
    chain(text, table, "lead", "");
    chain(text, table, "prerouting", "{ type nat hook prerouting priority dstnat + 10; }");
    chain(text, table, "output", "{ type nat hook output priority -90; }");
    chain(text, table, "postrouting", "{ type nat hook postrouting priority srcnat; }");
    for (Family family : Family.values()) {
      addRules(text, table, family);
    }
    text.append("add rule %s prerouting fib daddr type local jump lead\n".formatted(table));
    text.append("add rule %s output fib daddr type local jump lead\n".formatted(table));
    pods.forEach(pod -> addElements(text, table, pod));
    return text.toString();
  }

  private static void chain(StringBuilder text, String table, String name, String hook) {
    text.append("add chain %s %s %s\n".formatted(table, name, hook));
  }

  private static void addRules(StringBuilder text, String table, Family family) {
    boolean isIpv4 = family == Family.IPV4;
    String ip = isIpv4 ? "ip" : "ip6";
    String type = isIpv4 ? "ipv4_addr" : "ipv6_addr";
    String to = ": %s . inet_service".formatted(type);
    String port = "inet_proto . inet_service";
    String lead =
        "add rule %s lead meta nfproto %s meta l4proto { tcp, udp, sctp } dnat %s addr . port to"
            .formatted(table, isIpv4 ? "ipv4" : "ipv6", ip);
    List<String> lines = new ArrayList<>();
    lines.add("add map %s %s { type %s %s; }".formatted(table, all(family), port, to));
    lines.add("add map %s %s { type %s . %s %s; }".formatted(table, some(family), type, port, to));
    lines.add("add set %s %s { type %s . %s; }".formatted(table, selves(family), type, type));
    lines.add(
        "add rule %s lead %s daddr %s return".formatted(table, ip, isIpv4 ? "127.0.0.0/8" : "::1"));
    lines.add("%s %s daddr . meta l4proto . th dport map @%s".formatted(lead, ip, some(family)));
    lines.add("%s meta l4proto . th dport map @%s".formatted(lead, all(family)));
    // A pod that reaches itself would answer itself, under another address than it asked.
    lines.add(
        "add rule %s postrouting ct status dnat %s saddr . %s daddr @%s masquerade"
            .formatted(table, ip, ip, selves(family)));
    lines.forEach(line -> text.append(line).append('\n'));
  }

  private static String all(Family family) {
    return family == Family.IPV4 ? "ports-4" : "ports-6";
  }

  private static String some(Family family) {
    return family == Family.IPV4 ? "addresses-4" : "addresses-6";
  }

  private static String selves(Family family) {
    return family == Family.IPV4 ? "selves-4" : "selves-6";
  }

  private static void addElements(StringBuilder text, String table, Mappings pod) {
    for (String address : pod.addresses) {
      Cidr of = Cidr.parseAddress(address).orElseThrow();
      Family family = of.family();
      text.append(
          "add element %s %s { %s . %s }\n"
              .formatted(table, selves(family), of.address(), of.address()));
      for (HostPort port : pod.ports) {
        String key = "%s . %d".formatted(port.protocol().toLowerCase(Locale.ROOT), port.hostPort());
        String target = "%s . %d".formatted(of.address(), port.containerPort());
        Optional<Cidr> host = ownAddress(port);
        if (host.isEmpty()) {
          text.append("add element %s %s { %s : %s }\n".formatted(table, all(family), key, target));
        } else if (host.get().family() == family) {
          text.append(
              "add element %s %s { %s . %s : %s }\n"
                  .formatted(table, some(family), host.get().address(), key, target));
        }
      }
    }
  }

  /** The address of the machine that a port is for; empty for all. */
  private static Optional<Cidr> ownAddress(HostPort port) {
    return Cidr.parseAddress(port.hostAddress())
        .filter(address -> address.high() != 0 || address.low() != 0);
  }

  /** Whether another pod has a port, or one that it would take packets from. */
  boolean isTaken(HostPort port) {
    return byPod.values().stream()
        .flatMap(pod -> pod.ports.stream())
        .anyMatch(other ->
            other.protocol().equals(port.protocol())
                && other.hostPort() == port.hostPort()
                && (ownAddress(other).isEmpty()
                    || ownAddress(port).isEmpty()
                    || ownAddress(other).equals(ownAddress(port))));
  }
}
