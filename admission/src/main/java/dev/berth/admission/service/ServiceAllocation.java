package dev.berth.admission.service;

import dev.berth.kinds.networking.NetworkingResources;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.policy.cidr.Cidr.Family;
import dev.berth.policy.service.AddressedService;
import dev.berth.policy.service.ServiceNetwork;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Gives services their cluster IPs and node ports, each to one service only, and frees them when
 * they go. Not a policy that could be turned off.
 *
 * <ol>
 *   <li>Before a service is validated, what it needs is chosen and set aside in memory.
 *   <li>When all others have admitted it, its addresses get IPAddresses in the store ({@link
 *       #claims}); then the service is written. If it is not, its IPAddresses are removed.
 *   <li>When a service is gone, or has fewer addresses, their IPAddresses are removed.
 * </ol>
 *
 * <p>Whoever dies between these steps leaves an IPAddress that no service has; it is found and
 * removed later ({@link dev.berth.policy.service.AddressRepair}).
 *
 * <p>Where several servers share a store, a node port is also set aside there, from right before
 * its service is written until it was ({@link NodePortClaims}); addresses are by their IPAddresses.
 */
public final class ServiceAllocation implements AdmissionPlugin {
  private final Registry registry;
  private final ReentrantLock lock = new ReentrantLock();
  private final AllocationIndex index;
  private final ClusterIps clusterIps;
  private final NodePorts nodePorts;
  private final NodePortClaims portClaims;
  private final ServiceFamilies families;

  public ServiceAllocation(Registry registry, ServiceNetwork network) {
    this.registry = registry;
    this.index = new AllocationIndex(registry);
    this.clusterIps = new ClusterIps(registry);
    this.nodePorts =
        new NodePorts(network.nodePorts(), index, registry.time().random("service-node-ports"));
    this.portClaims = new NodePortClaims(registry);
    this.families = new ServiceFamilies(network.families());
  }

  @Override
  public JsonObject mutate(AdmissionRequest request) {
    if (request.creates()
        && request.writes(NetworkingResources.GROUP, NetworkingResources.IP_ADDRESSES)) {
      return locked(() -> addressOfOthers(request));
    }
    if (request.deletes() || !request.writesCore("services")) {
      return request.object();
    }
    return locked(() -> {
      index.refresh();
      request.afterwards(_ -> settle(request));
      JsonObject spec = addresses(request, request.object().object("spec"));
      return request.object().with("spec", new NodePortAssignment(request, nodePorts).assign(spec));
    });
  }

  private void settle(AdmissionRequest request) {
    locked(() -> {
      clusterIps.settle(request);
      nodePorts.settle(request);
      return true;
    });
  }

  /** Whoever else makes an IPAddress does not get one that a service is about to have. */
  private JsonObject addressOfOthers(AdmissionRequest request) {
    String name = request.name().name();
    if (!request.user().equals(User.SERVER) && !request.dryRun()) {
      if (clusterIps.isSetAsideForOthers(request, name)) {
        throw Failures.alreadyExists(request.resource().groupResource(), name);
      }
      clusterIps.setAside(request, name);
      request.afterwards(_ -> settle(request));
    }
    return request.object();
  }

  private JsonObject addresses(AdmissionRequest request, JsonObject wanted) {
    JsonObject old = request.old().object("spec");
    if (wanted.text("type", "").equals("ExternalName")) {
      // Validation refuses an address in the list, where older clients do not write it.
      return ServiceFamilies.isUnlisted(wanted, old)
          ? wanted.with("clusterIPs", JsonArray.of(wanted.text("clusterIP", "")))
          : wanted;
    }
    JsonObject before = old.text("type", "").equals("ExternalName") ? JsonObject.EMPTY : old;
    FieldErrorList problems = new FieldErrorList();
    JsonObject normalized = ServiceFamilies.normalized(wanted, before);
    if (ServiceFamilies.prefersWhatItHas(normalized, old)) {
      return normalized;
    }
    JsonObject spec = families.decide(normalized, before, problems);
    if (!problems.all().isEmpty()) {
      throw invalid(request, problems.all());
    }
    List<String> addresses = new ArrayList<>(spec.array("clusterIPs").texts());
    List<String> wantedFamilies = spec.array("ipFamilies").texts();
    if (addresses.contains("None")) {
      return spec;
    }
    boolean isUpgraded = before.array("ipFamilies").size() == 1 && wantedFamilies.size() == 2;
    int from = before.isEmpty() ? 0 : isUpgraded ? 1 : wantedFamilies.size();
    for (int i = from; i < wantedFamilies.size(); i++) {
      if (i < addresses.size()) {
        reserve(request, addresses.get(i), padded(addresses, wantedFamilies.size()));
      } else {
        addresses.add(choose(request, wantedFamilies.get(i)));
      }
    }
    return addresses.isEmpty()
        ? spec
        : spec.with("clusterIP", addresses.getFirst())
            .with("clusterIPs", JsonArray.copyOf(addresses));
  }

  /** The addresses as upstream's messages show them, with room for those that are to come. */
  private static JsonArray padded(List<String> addresses, int size) {
    List<String> shown = new ArrayList<>(addresses);
    while (shown.size() < size) {
      shown.add("");
    }
    return JsonArray.copyOf(shown);
  }

  private String choose(AdmissionRequest request, String family) {
    return clusterIps
        .choose(
            request,
            family.equals(Family.IPV4.toString()) ? Family.IPV4 : Family.IPV6,
            index.ranges())
        .orElseThrow(() ->
            Failures.internal(
                "failed to allocate a serviceIP for Service \"%s\": range is full"
                    .formatted(request.name().name())));
  }

  private void reserve(AdmissionRequest request, String address, JsonArray shown) {
    clusterIps
        .reserve(request, address, index.ranges())
        .ifPresent(why -> {
          throw refused(request, address, shown, why);
        });
  }

  private static RuntimeException refused(
      AdmissionRequest request, String address, JsonArray shown, ClusterIps.Refusal why) {
    return invalid(
        request,
        List.of(
            FieldError.invalid(
                "spec.clusterIPs",
                shown,
                "failed to allocate IP %s: %s".formatted(address, why.message()))));
  }

  private static RuntimeException invalid(AdmissionRequest request, List<FieldError> errors) {
    return Failures.invalid(
        request.resource().groupKind(), Metadata.of(request.object()).name(), errors);
  }

  /**
   * Writes the IPAddresses of a service right before it is written, and removes those that are not
   * needed right after: the last of all plugins.
   */
  public AdmissionPlugin claims() {
    return new AdmissionPlugin() {
      @Override
      public void validate(AdmissionRequest request) {
        boolean isService =
            request.resource().groupResource().group().isEmpty()
                && request.resource().plural().equals("services");
        if (isService
            && !request.dryRun()
            && request.operation() != AdmissionRequest.Operation.CONNECT) {
          claim(request);
          if (registry.isShared() && !request.deletes()) {
            claimPorts(request);
          }
        }
      }
    };
  }

  /** A port that another server gave away meanwhile is seen once this one holds its claim. */
  private void claimPorts(AdmissionRequest request) {
    Set<Long> ports = new TreeSet<>(AllocationIndex.portsOf(request.object()));
    ports.removeAll(AllocationIndex.portsOf(request.old()));
    if (ports.isEmpty()) {
      return;
    }
    for (long port : ports) {
      if (!portClaims.claim(port)) {
        throw portTaken(request, port);
      }
      request.afterwards(_ -> portClaims.release(port));
    }
    registry.awaitRecent("");
    for (long port : ports) {
      boolean isTaken =
          locked(() -> {
            index.refresh();
            return index.hasPort(port);
          });
      if (isTaken) {
        throw portTaken(request, port);
      }
    }
  }

  private static RuntimeException portTaken(AdmissionRequest request, long port) {
    return invalid(
        request,
        List.of(
            FieldError.invalid(
                "spec.ports[0].nodePort", port, "provided port is already allocated")));
  }

  private void claim(AdmissionRequest request) {
    List<String> before = AddressedService.read(request.old()).addresses();
    List<String> after =
        request.deletes() ? before : AddressedService.read(request.object()).addresses();
    before.stream()
        .filter(address -> !after.contains(address))
        .forEach(address ->
            request.afterwards(written -> {
              if (written) {
                clusterIps.release(address, request.name());
              }
            }));
    if (Metadata.of(request.old()).isBeingDeleted() || request.deletes()) {
      request.afterwards(_ -> releaseIfGone(request, before));
    }
    for (String address : after) {
      if (!before.contains(address)) {
        Optional<ClusterIps.Refusal> refusal = clusterIps.claim(address, request.name());
        if (refusal.isPresent()) {
          throw refused(request, address, JsonArray.copyOf(after), refusal.get());
        }
        request.afterwards(written -> {
          if (!written) {
            clusterIps.release(address, request.name());
          }
        });
      }
    }
  }

  /** A service's addresses go with it, and so do its Endpoints, before its name is used again. */
  private void releaseIfGone(AdmissionRequest request, List<String> addresses) {
    if (registry.find(request.resource(), request.name()).isPresent()) {
      return;
    }
    addresses.forEach(address -> clusterIps.release(address, request.name()));
    deleteEndpoints(request.name());
  }

  private void deleteEndpoints(ObjectName service) {
    try {
      registry.delete(
          registry.catalog().get("", "v1", "endpoints"), service, DeletionOptions.DEFAULT);
    } catch (StatusException e) {
      if (!e.status().reason().equals("NotFound")) {
        throw e;
      }
    }
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
