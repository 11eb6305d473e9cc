package dev.berth.kinds.resource;

import dev.berth.policy.cidr.Cidr;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is wrong with an address at which something is to be reached: some mean no single place. */
public final class EndpointAddresses {
  private static final List<Cidr> LOOPBACK = ranges("127.0.0.0/8", "::1/128");
  private static final List<Cidr> LINK_LOCAL = ranges("169.254.0.0/16", "fe80::/10");
  private static final List<Cidr> LINK_LOCAL_MULTICAST = ranges("224.0.0.0/24", "ff02::/16");
  private static final List<Cidr> UNSPECIFIED = ranges("0.0.0.0/32", "::/128");
  private static final Map<List<Cidr>, String> SPECIAL =
      Map.of(
          LOOPBACK,
          "may not be in the loopback range (127.0.0.0/8, ::1/128)",
          LINK_LOCAL,
          "may not be in the link-local range (169.254.0.0/16, fe80::/10)",
          LINK_LOCAL_MULTICAST,
          "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");

  private EndpointAddresses() {}

  private static List<Cidr> ranges(String... texts) {
    return List.of(texts).stream().map(text -> Cidr.parse(text).orElseThrow()).toList();
  }

  public static List<String> problems(String text) {
    Optional<Cidr> address = Cidr.parseAddress(text);
    if (address.isEmpty()) {
      return List.of("must be a valid IP address");
    }
    List<String> problems = new ArrayList<>();
    if (isIn(UNSPECIFIED, address.get())) {
      problems.add("may not be unspecified (" + text + ")");
    }
    SPECIAL.forEach((ranges, problem) -> {
      if (isIn(ranges, address.get())) {
        problems.add(problem);
      }
    });
    return problems;
  }

  private static boolean isIn(List<Cidr> ranges, Cidr address) {
    return ranges.stream().anyMatch(range -> range.contains(address));
  }
}
