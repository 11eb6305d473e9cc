package dev.berth.policy.route;

import dev.berth.policy.cidr.Cidr;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Whether machines or pods have addresses that services can have. What pods send to such an address
 * is led to a service, or dropped if there is none, and does not arrive.
 */
public final class ServiceRangeOverlap {
  private ServiceRangeOverlap() {}

  /**
   * What is wrong, and what to do.
   *
   * @param services the ranges of services' addresses
   */
  public static Optional<String> of(List<Cidr> services, Collection<RoutedNode> nodes) {
    for (Cidr range : services) {
      for (RoutedNode node : nodes) {
        for (String address : node.addresses()) {
          if (Cidr.parseAddress(address).filter(range::overlaps).isPresent()) {
            return Optional.of(
                "pods cannot reach the node \"%s\": its address %s is in the range of services' addresses, %s; start the cluster with another --service-cluster-ip-range"
                    .formatted(node.name(), address, range));
          }
        }
        for (Cidr pods : node.podRanges()) {
          if (pods.overlaps(range)) {
            return Optional.of(
                "pods of the node \"%s\" cannot be reached: their addresses, %s, are in the range of services' addresses, %s; start the cluster with another --cluster-cidr or --service-cluster-ip-range"
                    .formatted(node.name(), pods, range));
          }
        }
      }
    }
    return Optional.empty();
  }
}
