package dev.berth.admission.service;

import dev.berth.kinds.networking.NetworkingResources;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.network.ServiceCidrView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.service.ServiceRange;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.ResourceChanges;
import dev.berth.registry.StoredEncoding;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which node ports services in the store have, and which ranges there are to give addresses of. It
 * follows what is written, so that giving out costs the same however many services there are.
 * Belongs to whoever holds the lock of {@link ServiceAllocation}.
 */
final class AllocationIndex implements ResourceChanges.Listener {
  private final Registry registry;
  private final Resource services;
  private final Resource cidrs;
  private final Map<ObjectName, Set<Long>> portsOf = new HashMap<>();
  private final Map<Long, Integer> ports = new HashMap<>();
  private List<ServiceRange> ranges = List.of();
  private boolean isLost = true;

  /** Null until it is first needed: a registry cannot be read while it is being made. */
  private @Nullable ResourceChanges changes;

  AllocationIndex(Registry registry) {
    this.registry = registry;
    this.services = registry.catalog().get("", "v1", "services");
    this.cidrs =
        registry.catalog().get(NetworkingResources.GROUP, "v1", NetworkingResources.SERVICE_CIDRS);
  }

  /** Takes in whatever was written before this was called. */
  void refresh() {
    ResourceChanges following = changes;
    if (following == null) {
      following = ResourceChanges.of(registry, List.of(services, cidrs), this);
      changes = following;
    }
    following.deliver();
    if (isLost) {
      isLost = false;
      portsOf.clear();
      ports.clear();
      list(services).forEach(service -> put(ObjectName.of(service), service));
      readRanges();
    }
  }

  private List<JsonObject> list(Resource resource) {
    return registry.list(resource, ListOptions.ALL).entries().stream()
        .map(StoredEncoding::tree)
        .toList();
  }

  @Override
  public void changed(Resource resource, ObjectName name) {
    if (resource.equals(services)) {
      put(name, registry.find(services, name).map(found -> found.tree()).orElse(JsonObject.EMPTY));
    } else {
      readRanges();
    }
  }

  @Override
  public void lost() {
    isLost = true;
  }

  /** The node ports that a service names. */
  static Set<Long> portsOf(JsonObject service) {
    JsonObject spec = service.object("spec");
    Set<Long> ports = new HashSet<>();
    spec.array("ports").objects().forEach(port -> ports.add(port.integer("nodePort").orElse(0)));
    ports.add(spec.integer("healthCheckNodePort").orElse(0));
    ports.remove(0L);
    return ports;
  }

  private void put(ObjectName name, JsonObject service) {
    Set<Long> now = portsOf(service);
    Set<Long> before = now.isEmpty() ? portsOf.remove(name) : portsOf.put(name, now);
    if (before != null) {
      before.forEach(this::release);
    }
    now.forEach(port -> ports.merge(port, 1, Integer::sum));
  }

  private void release(Long port) {
    int left = ports.getOrDefault(port, 1) - 1;
    if (left == 0) {
      ports.remove(port);
    } else {
      ports.put(port, left);
    }
  }

  private void readRanges() {
    ranges =
        list(cidrs).stream()
            .map(ServiceCidrView::read)
            .filter(ServiceCidrView::isUsable)
            .flatMap(cidr -> cidr.cidrs().stream())
            .distinct()
            .flatMap(text -> ServiceRange.parse(text).stream())
            .toList();
  }

  /** Whether a service has a node port. */
  boolean hasPort(long port) {
    return ports.containsKey(port);
  }

  /** Those of ServiceCIDRs that are ready and stay. */
  List<ServiceRange> ranges() {
    return ranges;
  }
}
