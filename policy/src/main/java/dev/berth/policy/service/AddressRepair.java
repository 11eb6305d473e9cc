package dev.berth.policy.service;

import dev.berth.model.network.IpAddressView;
import dev.berth.model.network.ServiceCidrView;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.reconcile.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is wrong between the cluster IPs of services and the IPAddresses: each of the former has one
 * of the latter, which names the service.
 *
 * <ol>
 *   <li>An IPAddress that is missing is made; one that names something else, or has other labels,
 *       is made anew, unless the service that it names has the address too.
 *   <li>An IPAddress of the allocator whose service is not there is removed a minute after it was
 *       made: it is made before its service, and whoever wrote the service may have died.
 *   <li>One whose service does not have the address is removed; a little later if it is newer than
 *       the service, since then the service may be about to change.
 * </ol>
 */
public final class AddressRepair {
  static final Duration LEAK_GRACE = Duration.ofSeconds(60);
  static final Duration CHANGE_GRACE = Duration.ofSeconds(5);

  private static final String NOT_ALLOCATED = "ClusterIPNotAllocated";

  private final Map<ObjectName, AddressedService> services = new HashMap<>();
  private final Map<String, IpAddressView> addresses = new HashMap<>();
  private final Collection<ServiceCidrView> cidrs;
  private final Instant now;
  private final List<Repair> repairs = new ArrayList<>();
  private boolean isPending;

  /** Something to be done, and what to tell about it. */
  public sealed interface Repair {
    /** What is to be told. */
    Note note();

    /** The address of a service has no IPAddress. */
    record Create(AddressedService service, String address, Note note) implements Repair {}

    /** The IPAddress of a service's address is wrong. */
    record Recreate(AddressedService service, String address, Note note) implements Repair {}

    /** No service has an IPAddress. */
    record Delete(IpAddressView address, Note note) implements Repair {}

    /** Something that only people can mend. */
    record Report(AddressedService service, Note note) implements Repair {}
  }

  private AddressRepair(Collection<ServiceCidrView> cidrs, Instant now) {
    this.cidrs = cidrs;
    this.now = now;
  }

  /**
   * What is to be done.
   *
   * @param repairs first for services and then for addresses, in their order
   * @param isPending whether something may have to be done later though nothing changes
   */
  public record Plan(List<Repair> repairs, boolean isPending) {
    public Plan {
      repairs = List.copyOf(repairs);
    }
  }

  public static Plan decide(
      Collection<AddressedService> services,
      Collection<IpAddressView> addresses,
      Collection<ServiceCidrView> cidrs,
      Instant now) {
    AddressRepair repair = new AddressRepair(cidrs, now);
    services.forEach(service -> repair.services.put(service.name(), service));
    addresses.forEach(address -> repair.addresses.put(address.name(), address));
    services.forEach(repair::service);
    addresses.stream().filter(IpAddressView::isAllocated).forEach(repair::address);
    return new Plan(repair.repairs, repair.isPending);
  }

  private void service(AddressedService service) {
    for (String address : service.addresses()) {
      if (Cidr.parseAddress(address).isEmpty()) {
        repairs.add(
            new Repair.Report(
                service,
                Note.warning(
                    "ClusterIPNotValid",
                    "Cluster IP %s is not a valid IP; please recreate Service"
                        .formatted(address))));
      } else {
        address(service, address);
      }
    }
  }

  private void address(AddressedService service, String address) {
    String family = IpAddressView.familyOf(address);
    if (ServiceCidrs.containing(cidrs, address).isEmpty()) {
      String message =
          "Cluster IP [%s]: %s is not within any configured Service CIDR; please recreate service"
              .formatted(family, address);
      repairs.add(new Repair.Report(service, Note.warning("ClusterIPOutOfRange", message)));
      return;
    }
    IpAddressView found = addresses.get(address);
    if (found == null) {
      String message = "Cluster IP [%s]: %s is not allocated; repairing".formatted(family, address);
      repairs.add(new Repair.Create(service, address, Note.warning(NOT_ALLOCATED, message)));
      return;
    }
    boolean isNamed = found.ofService() && found.parent().equals(service.name());
    Optional<AddressedService> other =
        found.ofService() && !isNamed
            ? Optional.ofNullable(services.get(found.parent()))
            : Optional.empty();
    if (!isNamed && other.isEmpty()) {
      String message =
          "the ClusterIP [%s]: %s for Service %s has a wrong reference; repairing"
              .formatted(family, address, service.name());
      repairs.add(new Repair.Recreate(service, address, Note.warning(NOT_ALLOCATED, message)));
    } else if (other.filter(named -> named.addresses().contains(address)).isPresent()) {
      String message =
          "Cluster IP [%s]:%s was assigned to multiple services; please recreate service"
              .formatted(family, address);
      repairs.add(new Repair.Report(service, Note.warning("ClusterIPAlreadyAllocated", message)));
    } else if (!found.isAllocated() || !found.family().equals(family)) {
      String message =
          "the ClusterIP [%s]: %s for Service %s has wrong labels; repairing"
              .formatted(family, address, service.name());
      repairs.add(new Repair.Recreate(service, address, Note.warning(NOT_ALLOCATED, message)));
    }
  }

  private void address(IpAddressView address) {
    if (!address.ofService()) {
      delete(
          address,
          "IPAddressNotAllocated",
          "IPAddress %s appears to have been modified, not referencing a Service: cleaning up"
              .formatted(address.name()));
      return;
    }
    AddressedService service = services.get(address.parent());
    Duration age = Duration.between(address.creationTimestamp(), now);
    if (service == null) {
      if (age.compareTo(LEAK_GRACE) > 0) {
        delete(
            address,
            "IPAddressNotAllocated",
            "IPAddress: %s for Service %s appears to have leaked: cleaning up"
                .formatted(address.name(), address.parent()));
      } else {
        isPending = true;
      }
      return;
    }
    boolean isOwn = service.addresses().contains(address.name());
    boolean mayComeToBe =
        service.isExternalName()
            ? age.compareTo(LEAK_GRACE) < 0
            : address.creationTimestamp().isAfter(service.creationTimestamp())
                && age.compareTo(CHANGE_GRACE) < 0;
    if (!isOwn && mayComeToBe) {
      isPending = true;
    } else if (!isOwn) {
      delete(
          address,
          "IPAddressWrongReference",
          "IPAddress: %s for Service %s has a wrong reference; cleaning up"
              .formatted(address.name(), address.parent()));
    }
  }

  private void delete(IpAddressView address, String reason, String message) {
    repairs.add(new Repair.Delete(address, Note.warning(reason, message)));
  }
}
