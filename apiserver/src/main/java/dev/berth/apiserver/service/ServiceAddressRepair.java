package dev.berth.apiserver.service;

import dev.berth.client.Api;
import dev.berth.client.event.EventRecorder;
import dev.berth.kinds.networking.NetworkingResources;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.network.IpAddressView;
import dev.berth.model.network.ServiceCidrView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Note;
import dev.berth.policy.service.AddressRepair;
import dev.berth.policy.service.AddressRepair.Repair;
import dev.berth.policy.service.AddressedService;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.ResourceChanges;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps IPAddresses and the cluster IPs of services true to each other, as {@link AddressRepair}
 * says: once before the server answers, so that services of an earlier version have IPAddresses
 * too, and then every ten seconds if something has changed.
 */
public final class ServiceAddressRepair implements AutoCloseable {
  private static final String NAME = "ipallocator-repair-controller";
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Set<String> PASSING = Set.of("AlreadyExists", "NotFound", "Conflict");

  private final Registry registry;
  private final Resource services;
  private final Resource addresses;
  private final Resource cidrs;
  private final Loop loop;
  private final EventRecorder events;
  private final ResourceChanges changes;
  private boolean isDue = true;

  /** What only people can mend, as it was told last. */
  private Set<Note> reported = Set.of();

  private ServiceAddressRepair(Registry registry, Api api, Time time) {
    this.registry = registry;
    services = registry.catalog().get("", "v1", "services");
    addresses = networking(registry, NetworkingResources.IP_ADDRESSES);
    cidrs = networking(registry, NetworkingResources.SERVICE_CIDRS);
    loop = time.start(NAME);
    events = EventRecorder.counting(api, loop, time, NAME);
    changes =
        ResourceChanges.of(
            registry,
            List.of(services, addresses, cidrs),
            new ResourceChanges.Listener() {
              @Override
              public void changed(Resource resource, ObjectName name) {
                isDue = true;
              }

              @Override
              public void lost() {
                isDue = true;
              }
            });
  }

  private static Resource networking(Registry registry, String plural) {
    return registry.catalog().get(NetworkingResources.GROUP, "v1", plural);
  }

  /** Mends what is wrong now. */
  public static void once(Registry registry) {
    Resource services = registry.catalog().get("", "v1", "services");
    Resource addresses = networking(registry, NetworkingResources.IP_ADDRESSES);
    Resource cidrs = networking(registry, NetworkingResources.SERVICE_CIDRS);
    plan(registry, services, addresses, cidrs)
        .repairs()
        .forEach(repair -> carryOut(registry, services, addresses, repair));
  }

  /** Mends from now on. */
  public static ServiceAddressRepair start(Registry registry, Api api, Time time) {
    ServiceAddressRepair repair = new ServiceAddressRepair(registry, api, time);
    repair.loop.after(INTERVAL, repair::look);
    return repair;
  }

  private void look() {
    changes.deliver();
    if (isDue) {
      AddressRepair.Plan plan = plan(registry, services, addresses, cidrs);
      isDue = plan.isPending();
      Set<Note> reports = new HashSet<>();
      for (Repair repair : plan.repairs()) {
        Optional<JsonObject> mended = carryOut(registry, services, addresses, repair);
        mended.ifPresent(object -> tell(object, repair.note()));
        if (repair instanceof Repair.Report(AddressedService service, Note note)
            && reports.add(note)
            && !reported.contains(note)) {
          tell(service.object(), note);
        }
      }
      reported = Set.copyOf(reports);
    }
    loop.after(INTERVAL, this::look);
  }

  private void tell(JsonObject regarding, Note note) {
    events.record(
        regarding,
        EventRecorder.Type.WARNING,
        note.reason(),
        "ClusterIPAllocation",
        note.message());
  }

  private static AddressRepair.Plan plan(
      Registry registry, Resource services, Resource addresses, Resource cidrs) {
    // Services first: the address of one that is read has been written before it.
    List<AddressedService> all =
        list(registry, services).stream().map(AddressedService::read).toList();
    List<IpAddressView> taken =
        list(registry, addresses).stream().map(IpAddressView::read).toList();
    List<ServiceCidrView> ranges =
        list(registry, cidrs).stream().map(ServiceCidrView::read).toList();
    return AddressRepair.decide(all, taken, ranges, registry.now());
  }

  private static List<JsonObject> list(Registry registry, Resource resource) {
    List<JsonObject> all = new ArrayList<>();
    registry
        .list(resource, ListOptions.ALL)
        .entries()
        .forEach(entry -> all.add(StoredEncoding.tree(entry)));
    return all;
  }

  /** Does what is to be done, if it still is; what was mended then. */
  private static Optional<JsonObject> carryOut(
      Registry registry, Resource services, Resource addresses, Repair repair) {
    try {
      return switch (repair) {
        case Repair.Create(AddressedService service, String address, Note _) -> {
          boolean isWanted = has(registry, services, service, address);
          if (isWanted) {
            create(registry, addresses, service, address);
          }
          yield isWanted ? Optional.of(service.object()) : Optional.empty();
        }
        case Repair.Recreate(AddressedService service, String address, Note _) -> {
          boolean isWanted = has(registry, services, service, address);
          if (isWanted) {
            registry.delete(addresses, ObjectName.of(address), DeletionOptions.DEFAULT);
            create(registry, addresses, service, address);
          }
          yield isWanted ? Optional.of(service.object()) : Optional.empty();
        }
        case Repair.Delete(IpAddressView address, Note _) ->
            Optional.of(
                registry
                    .delete(addresses, ObjectName.of(address.name()), DeletionOptions.DEFAULT)
                    .object()
                    .tree());
        case Repair.Report _ -> Optional.empty();
      };
    } catch (StatusException e) {
      // Somebody else was faster; what is still wrong is found the next time.
      if (!PASSING.contains(e.status().reason())) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private static boolean has(
      Registry registry, Resource services, AddressedService service, String address) {
    return registry
        .find(services, service.name())
        .map(found -> AddressedService.read(found.tree()))
        .filter(found -> found.addresses().contains(address))
        .isPresent();
  }

  private static void create(
      Registry registry, Resource addresses, AddressedService service, String address) {
    registry.create(
        addresses, "", IpAddressView.ofService(address, service.name()), WriteOptions.DEFAULT);
  }

  @Override
  public void close() {
    changes.close();
    loop.close();
  }
}
