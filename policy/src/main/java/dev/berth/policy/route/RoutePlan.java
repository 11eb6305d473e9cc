package dev.berth.policy.route;

import dev.berth.policy.cidr.Cidr;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which routes a node has to the pods of others.
 *
 * <ul>
 *   <li>To each range of each other node, by that node's first internal address of the same family;
 *       none if it has no such address, or if that is an address of this node.
 *   <li>What is there and not wanted goes first: a range may have moved to another node.
 *   <li>If two nodes claim a range, the first by name has it.
 * </ul>
 *
 * @param remove in the order in which they were found
 * @param add in the order of the nodes' names
 */
public record RoutePlan(List<Route> remove, List<Route> add) {

  /** What is for a range goes to a gateway. */
  public record Route(Cidr range, String gateway) {
    @Override
    public String toString() {
      return range + " via " + gateway;
    }
  }

  /** All routes of a node. */
  public static Set<Route> wanted(String ownName, Collection<RoutedNode> nodes) {
    TreeMap<String, RoutedNode> byName = new TreeMap<>();
    nodes.forEach(each -> byName.put(each.name(), each));
    RoutedNode own = byName.remove(ownName);
    List<String> ownAddresses = own == null ? List.of() : own.addresses();
    Set<Cidr> taken = new LinkedHashSet<>(own == null ? List.of() : own.podRanges());
    Set<Route> routes = new LinkedHashSet<>();
    for (RoutedNode node : byName.values()) {
      for (Cidr range : node.podRanges()) {
        Optional<String> gateway =
            node.addresses().stream()
                .filter(each ->
                    Cidr.parseAddress(each).map(Cidr::family).equals(Optional.of(range.family())))
                .findFirst();
        if (gateway.isPresent() && !ownAddresses.contains(gateway.get()) && taken.add(range)) {
          routes.add(new Route(range, gateway.get()));
        }
      }
    }
    return routes;
  }

  /**
   * What to do.
   *
   * @param present the routes of this agent that there are
   */
  public static RoutePlan of(Set<Route> wanted, Collection<Route> present) {
    return new RoutePlan(
        present.stream().filter(each -> !wanted.contains(each)).toList(),
        wanted.stream().filter(each -> !present.contains(each)).toList());
  }
}
