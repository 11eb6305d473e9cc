package dev.berth.agent.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets pods reach other machines under the machine's own address, by {@code nft}. */
final class Masquerade {
  private static final Logger LOG = LoggerFactory.getLogger("pod-network");
  private static final List<String> PLACES = List.of("/usr/sbin/nft", "/sbin/nft", "/usr/bin/nft");

  private Masquerade() {}

  private static String nft() {
    return PLACES.stream()
        .filter(place -> Files.isExecutable(Path.of(place)))
        .findFirst()
        .orElse("");
  }

  /** Removes the table, if there is one. */
  static void remove(String bridge) throws IOException {
    String nft = nft();
    if (!nft.isEmpty()) {
      Commands.run(
          List.of(nft, "-f", "-"),
          "add table inet %s\ndelete table inet %s\n".formatted(bridge, bridge));
    }
  }

  static void install(List<String> cidrs, String bridge) {
    String nft = nft();
    if (nft.isEmpty()) {
      LOG.warn(
          "pods reach this machine and each other, but no other networks: nft is not installed,"
              + " which gives what they send the machine's address (Debian: apt-get install"
              + " nftables; then start the node again)");
      return;
    }
    try {
      Commands.run(List.of(nft, "-f", "-"), rules(cidrs, bridge));
    } catch (IOException e) {
      LOG.warn("pods reach this machine and each other, but no other networks: {}", e.getMessage());
    }
  }

  /** A table of its own, replaced as a whole. */
  static String rules(List<String> cidrs, String bridge) {
    StringBuilder text = new StringBuilder();
    String table = "inet " + bridge;
    text.append("add table %s\ndelete table %s\ntable %s {\n".formatted(table, table, table));
    text.append("  chain postrouting {\n    type nat hook postrouting priority srcnat;\n");
    for (String cidr : cidrs) {
      String family = PodRange.parse(cidr).isIpv6() ? "ip6" : "ip";
      text.append("    %s saddr %s oifname != \"%s\" masquerade\n".formatted(family, cidr, bridge));
    }
    return text.append("  }\n}\n").toString();
  }
}
