package dev.berth.policy.service;

import dev.berth.model.network.ServiceCidrView;
import dev.berth.policy.cidr.Cidr;
import java.util.Collection;
import java.util.List;

/** Which ServiceCIDRs an address or a range belongs to. */
final class ServiceCidrs {
  private ServiceCidrs() {}

  /** The names of those that services could have an address of. */
  static List<String> containing(Collection<ServiceCidrView> all, String address) {
    return Cidr.parseAddress(address).stream()
        .flatMap(parsed ->
            all.stream()
                .filter(cidr -> ranges(cidr).stream().anyMatch(own -> contains(own, parsed))))
        .map(ServiceCidrView::name)
        .toList();
  }

  private static boolean contains(Cidr range, Cidr address) {
    // A range that is too large to be given out still has its addresses.
    return ServiceRange.parse(range.toString())
        .map(usable -> usable.contains(address))
        .orElseGet(() -> range.contains(address));
  }

  /** The names of those that have all addresses of a range. */
  static List<String> covering(Collection<ServiceCidrView> all, Cidr range) {
    return all.stream()
        .filter(cidr -> ranges(cidr).stream().anyMatch(own -> own.contains(range)))
        .map(ServiceCidrView::name)
        .toList();
  }

  static boolean overlap(ServiceCidrView one, ServiceCidrView other) {
    return ranges(one).stream().anyMatch(range -> ranges(other).stream().anyMatch(range::overlaps));
  }

  static List<Cidr> ranges(ServiceCidrView cidr) {
    return cidr.cidrs().stream().flatMap(text -> Cidr.parse(text).stream()).toList();
  }
}
