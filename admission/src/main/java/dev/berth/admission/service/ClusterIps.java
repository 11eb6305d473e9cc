package dev.berth.admission.service;

import dev.berth.kinds.networking.NetworkingResources;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.network.IpAddressView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.service.ServiceRange;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.admission.Settlement;
import dev.berth.registry.status.StatusException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The addresses of services. What is taken has an IPAddress in the store, or is set aside for a
 * write under way: its IPAddress is written right before the object is.
 *
 * <p>All but {@link #claim} and {@link #release}, which write, belongs to whoever holds the lock of
 * {@link ServiceAllocation}.
 */
final class ClusterIps {
  private final Registry registry;
  private final Resource addresses;
  private final RandomGenerator random;
  private final Map<String, Settlement> setAside = new HashMap<>();

  /** Why an address cannot be had, in upstream's words. */
  sealed interface Refusal {
    String message();

    record NotInAnyRange() implements Refusal {
      @Override
      public String message() {
        return "the provided network does not match the current range";
      }
    }

    record NotInRange(String address, ServiceRange range) implements Refusal {
      @Override
      public String message() {
        return "the provided IP (%s) is not in the valid range. The range of valid IPs is %s"
            .formatted(address, range);
      }
    }

    record Taken() implements Refusal {
      @Override
      public String message() {
        return "provided IP is already allocated";
      }
    }
  }

  ClusterIps(Registry registry) {
    this.registry = registry;
    this.addresses =
        registry.catalog().get(NetworkingResources.GROUP, "v1", NetworkingResources.IP_ADDRESSES);
    this.random = registry.time().random("service-addresses");
  }

  /** Sets an address aside that somebody wants; says why not if it cannot be had. */
  Optional<Refusal> reserve(AdmissionRequest request, String text, List<ServiceRange> ranges) {
    Cidr address = Cidr.parseAddress(text).orElseThrow();
    String name = address.address();
    if (isOwn(request, name)) {
      return Optional.empty();
    }
    List<ServiceRange> family =
        ranges.stream().filter(range -> range.family() == address.family()).toList();
    if (family.stream().noneMatch(range -> range.contains(address))) {
      return Optional.of(
          request.dryRun() && !family.isEmpty()
              ? new Refusal.NotInRange(name, family.getFirst())
              : new Refusal.NotInAnyRange());
    }
    if (request.dryRun()) {
      return Optional.empty();
    }
    if (!isFree(name)) {
      return Optional.of(new Refusal.Taken());
    }
    setAside(request, name);
    return Optional.empty();
  }

  /**
   * Sets any free address aside; empty if there is none. A dry run is shown the first range's own
   * address, which nobody ever gets: what is free now may not be when it is done in earnest.
   */
  Optional<String> choose(AdmissionRequest request, Cidr.Family family, List<ServiceRange> ranges) {
    for (ServiceRange range : ranges) {
      if (range.family() != family) {
        continue;
      }
      if (request.dryRun()) {
        return Optional.of(range.cidr().address());
      }
      Optional<String> chosen = range.choose(this::isFree, random::nextLong);
      if (chosen.isPresent()) {
        setAside(request, chosen.get());
        return chosen;
      }
    }
    return Optional.empty();
  }

  /** Whether an address is set aside for another write. */
  boolean isSetAsideForOthers(AdmissionRequest request, String name) {
    return setAside.containsKey(name) && !isOwn(request, name);
  }

  void setAside(AdmissionRequest request, String name) {
    setAside.put(name, request.settlement());
  }

  @SuppressWarnings("ReferenceEquality") // One write has one settlement, whatever it contains.
  private boolean isOwn(AdmissionRequest request, String name) {
    return setAside.get(name) == request.settlement();
  }

  /** Nothing is set aside for a write any more. */
  void settle(AdmissionRequest request) {
    setAside.values().removeIf(of -> of == request.settlement());
  }

  private boolean isFree(String name) {
    return !setAside.containsKey(name) && registry.find(addresses, ObjectName.of(name)).isEmpty();
  }

  /** Writes the IPAddress of a service's address. */
  Optional<Refusal> claim(String text, ObjectName service) {
    String name = Cidr.parseAddress(text).orElseThrow().address();
    try {
      registry.create(addresses, "", IpAddressView.ofService(name, service), WriteOptions.DEFAULT);
      return Optional.empty();
    } catch (StatusException e) {
      if (e.status().reason().equals("AlreadyExists")) {
        return Optional.of(new Refusal.Taken());
      }
      throw e;
    }
  }

  /** Removes the IPAddress of an address that a service does not have any more. */
  void release(String text, ObjectName service) {
    ObjectName name =
        Cidr.parseAddress(text).map(address -> ObjectName.of(address.address())).orElseThrow();
    JsonObject found =
        registry.find(addresses, name).map(stored -> stored.tree()).orElse(JsonObject.EMPTY);
    IpAddressView view = IpAddressView.read(found);
    if (view.ofService() && view.parent().equals(service)) {
      try {
        registry.delete(addresses, name, DeletionOptions.DEFAULT);
      } catch (StatusException e) {
        if (!e.status().reason().equals("NotFound")) {
          throw e;
        }
      }
    }
  }
}
