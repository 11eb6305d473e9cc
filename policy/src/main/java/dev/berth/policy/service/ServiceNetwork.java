package dev.berth.policy.service;

import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import java.util.List;

/**
 * What a server gives services at first: further ServiceCIDRs may join.
 *
 * @param ranges one, or one of each family; the first is of the family of services that do not say
 */
public record ServiceNetwork(List<ServiceRange> ranges, NodePortRange nodePorts) {
  public static final ServiceNetwork DEFAULT =
      new ServiceNetwork(
          List.of(ServiceRange.parse("10.96.0.0/12").orElseThrow()), NodePortRange.DEFAULT);

  public ServiceNetwork {
    ranges = List.copyOf(ranges);
    if (ranges.isEmpty()
        || ranges.size() > 2
        || (ranges.size() == 2 && ranges.getFirst().family() == ranges.getLast().family())) {
      throw new IllegalArgumentException("services have one range per family, not " + ranges);
    }
  }

  /** The families that services may have addresses of, that of those that do not say first. */
  public List<Family> families() {
    return ranges.stream().map(ServiceRange::family).toList();
  }

  public List<Cidr> cidrs() {
    return ranges.stream().map(ServiceRange::cidr).toList();
  }

  /** Where pods find the API server: the first address of each range. */
  public List<String> apiAddresses() {
    return ranges.stream().map(ServiceRange::first).toList();
  }
}
