package dev.berth.policy.proxy;

import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import java.util.List;
import java.util.Optional;

/**
 * The node whose rules are made.
 *
 * @param zone empty if it is in none
 * @param addresses at which it is reached, and node ports with it
 * @param podRanges of all nodes of the cluster: what comes from there keeps its address
 */
public record ProxyNode(String name, String zone, List<String> addresses, List<Cidr> podRanges) {

  List<String> addresses(Family family) {
    return addresses.stream().flatMap(each -> address(each, family).stream()).sorted().toList();
  }

  List<String> podRanges(Family family) {
    return podRanges.stream()
        .filter(each -> each.family() == family)
        .map(Cidr::toString)
        .distinct()
        .sorted()
        .toList();
  }

  /** An address as everybody writes it; empty if it is none of a family. */
  static Optional<String> address(String text, Family family) {
    return Cidr.parseAddress(text).filter(each -> each.family() == family).map(Cidr::address);
  }
}
