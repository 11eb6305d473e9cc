package dev.berth.agent.node;

import dev.berth.agent.machine.NetworkAddresses;
import java.util.List;
import java.util.Optional;

/**
 * The addresses that a node says it has.
 *
 * <ol>
 *   <li>Those that it was told, one or one of each family.
 *   <li>Its host name, if that is an address.
 *   <li>Those of the interfaces with the default routes, of both families; IPv4 first, unless it
 *       was told {@code ::}.
 * </ol>
 *
 * Upstream looks the node's name up in DNS before the third, which on many machines gives a
 * loopback address, and reports one family only.
 */
final class NodeAddressChoice {
  private NodeAddressChoice() {}

  static List<String> of(List<String> told, String hostname, List<String> reachable) {
    List<String> given = told.stream().filter(address -> !isAny(address)).toList();
    if (!given.isEmpty()) {
      return given;
    }
    Optional<String> named = NetworkAddresses.canonical(hostname);
    if (named.isPresent()) {
      return List.of(named.get());
    }
    return told.contains("::") ? reachable.reversed() : reachable;
  }

  /** Whether it stands for all addresses of a family. */
  static boolean isAny(String address) {
    return address.equals("0.0.0.0") || address.equals("::");
  }
}
