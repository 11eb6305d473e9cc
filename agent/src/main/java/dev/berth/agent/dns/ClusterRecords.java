package dev.berth.agent.dns;

import dev.berth.agent.network.SlicesByService;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.dns.DnsService;
import dev.berth.policy.dns.ServiceDirectory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The services of the cluster by name and by address. One loop changes it; any thread may read it.
 */
public final class ClusterRecords implements ServiceDirectory {
  private final Map<ObjectName, JsonObject> services = new HashMap<>();
  private final SlicesByService slices = new SlicesByService();
  private final Map<ObjectName, DnsService> read = new ConcurrentHashMap<>();
  private final Map<String, Set<ObjectName>> byAddress = new ConcurrentHashMap<>();
  private final Set<String> namespaces = ConcurrentHashMap.newKeySet();
  private volatile List<String> nameServers = List.of();

  public void serviceChanged(ObjectName name, @Nullable JsonObject service) {
    if (service == null) {
      services.remove(name);
    } else {
      services.put(name, service);
    }
    changed(name);
  }

  /** A slice of a service has changed, or is no more. */
  public void sliceChanged(ObjectName service, String slice, @Nullable JsonObject now) {
    slices.put(service, slice, now);
    changed(service);
  }

  public void namespaceChanged(String name, boolean exists) {
    if (exists) {
      namespaces.add(name);
    } else {
      namespaces.remove(name);
    }
  }

  /** Says at which addresses the cluster's names are served. */
  public void nameServersAre(List<String> are) {
    nameServers = List.copyOf(are);
  }

  private void changed(ObjectName name) {
    JsonObject service = services.get(name);
    Optional<DnsService> now =
        service == null ? Optional.empty() : Optional.of(DnsService.read(service, slices.of(name)));
    Set<String> before = addresses(service(name));
    Set<String> after = addresses(now);
    now.ifPresentOrElse(each -> read.put(name, each), () -> read.remove(name));
    for (String address : before) {
      if (!after.contains(address)) {
        byAddress.computeIfPresent(
            address,
            (_, names) -> {
              names.remove(name);
              return names.isEmpty() ? null : names;
            });
      }
    }
    for (String address : after) {
      byAddress.computeIfAbsent(address, _ -> ConcurrentHashMap.newKeySet()).add(name);
    }
  }

  private static Set<String> addresses(Optional<DnsService> service) {
    Set<String> addresses = new HashSet<>();
    service.ifPresent(known -> {
      addresses.addAll(known.addresses());
      known.endpoints().forEach(each -> addresses.add(each.address()));
    });
    return addresses;
  }

  @Override
  public Optional<DnsService> service(ObjectName name) {
    return Optional.ofNullable(read.get(name));
  }

  @Override
  public boolean hasNamespace(String namespace) {
    return namespaces.contains(namespace);
  }

  @Override
  public Collection<DnsService> withAddress(String address) {
    List<DnsService> found = new ArrayList<>();
    for (ObjectName name : byAddress.getOrDefault(address, Set.of())) {
      service(name).ifPresent(found::add);
    }
    return found;
  }

  @Override
  public Collection<String> nameServers() {
    return nameServers;
  }
}
