package dev.berth.policy.certificates;

import dev.berth.policy.cidr.Cidr;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which addresses nodes say that they have, and who else says so. Host names are compared without
 * regard to case, IP addresses by what they mean. Lives on its controller's loop.
 */
public final class NodeAddresses {
  private final Map<String, Set<String>> byNode = new HashMap<>();
  private final Map<String, Set<String>> nodesByAddress = new HashMap<>();

  /** A node has these addresses now, and no others. */
  public void put(String node, Collection<String> addresses) {
    remove(node);
    Set<String> canonical = new TreeSet<>();
    addresses.forEach(address -> canonical.add(canonical(address)));
    byNode.put(node, canonical);
    canonical.forEach(
        address -> nodesByAddress.computeIfAbsent(address, _ -> new TreeSet<>()).add(node));
  }

  /** A node is gone. */
  public void remove(String node) {
    Set<String> before = byNode.remove(node);
    for (String address : before == null ? Set.<String>of() : before) {
      Set<String> nodes = nodesByAddress.getOrDefault(address, new TreeSet<>());
      nodes.remove(node);
      if (nodes.isEmpty()) {
        nodesByAddress.remove(address);
      }
    }
  }

  /** The addresses of a node; empty if there is none of this name. */
  Optional<Set<String>> of(String node) {
    return Optional.ofNullable(byNode.get(node)).map(Collections::unmodifiableSet);
  }

  /** A node other than this one that has the address, too. */
  Optional<String> otherOwner(String address, String node) {
    return nodesByAddress.getOrDefault(canonical(address), Set.of()).stream()
        .filter(owner -> !owner.equals(node))
        .findFirst();
  }

  static String canonical(String address) {
    return Cidr.parse(address + (address.contains(":") ? "/128" : "/32"))
        .map(Cidr::toString)
        .orElseGet(() -> address.toLowerCase(Locale.ROOT));
  }
}
