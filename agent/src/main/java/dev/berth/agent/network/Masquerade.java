package dev.berth.agent.network;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets pods reach other machines under the machine's own address, by {@code nft}. */
public final class Masquerade {
  private static final Logger LOG = LoggerFactory.getLogger("pod-network");
  private static final String IPV4 = "pod-ranges-4";
  private static final String IPV6 = "pod-ranges-6";

  private Masquerade() {}

  /** Removes the table, if there is one. */
  static void remove(String bridge) throws IOException {
    Optional<Nft> nft = Nft.findQuietly();
    if (nft.isPresent()) {
      nft.get().removeTable("inet " + bridge);
    }
  }

  /** Gives what pods send to other networks the machine's address. */
  public static void install(List<String> cidrs, String bridge) {
    Nft.find()
        .ifPresent(nft -> {
          try {
            nft.run(rules(cidrs, bridge));
          } catch (IOException e) {
            LOG.warn(
                "pods reach this machine and each other, but no other networks: {}",
                e.getMessage());
          }
        });
  }

  /**
   * Leaves alone what goes to pods of other nodes: they see each other under their own addresses.
   *
   * @param podRanges of all nodes
   */
  public static void exempt(Nft nft, List<String> podRanges, String bridge) throws IOException {
    nft.run(exceptions(podRanges, bridge));
  }

  static String exceptions(List<String> podRanges, String bridge) {
    StringBuilder text = new StringBuilder(sets(bridge));
    for (String set : List.of(IPV4, IPV6)) {
      text.append("flush set inet %s %s\n".formatted(bridge, set));
    }
    for (String range : podRanges) {
      String set = PodRange.parse(range).isIpv6() ? IPV6 : IPV4;
      text.append("add element inet %s %s { %s }\n".formatted(bridge, set, range));
    }
    return text.toString();
  }

  private static String sets(String bridge) {
    return """
    add table inet %1$s
    add set inet %1$s %2$s { type ipv4_addr; flags interval; }
    add set inet %1$s %3$s { type ipv6_addr; flags interval; }
    """
        .formatted(bridge, IPV4, IPV6);
  }

  /** A table of its own; the ranges of other nodes, which others know, stay. */
  static String rules(List<String> cidrs, String bridge) {
    StringBuilder text = new StringBuilder(sets(bridge));
    String chain = "inet %s postrouting".formatted(bridge);
    text.append("add chain %s { type nat hook postrouting priority srcnat; }\n".formatted(chain));
    text.append("flush chain %s\n".formatted(chain));
    for (String cidr : cidrs) {
      boolean isIpv6 = PodRange.parse(cidr).isIpv6();
      text.append(
          "add rule %s %s saddr %s %s daddr != @%s oifname != \"%s\" masquerade\n"
              .formatted(
                  chain,
                  isIpv6 ? "ip6" : "ip",
                  cidr,
                  isIpv6 ? "ip6" : "ip",
                  isIpv6 ? IPV6 : IPV4,
                  bridge));
    }
    return text.toString();
  }
}
