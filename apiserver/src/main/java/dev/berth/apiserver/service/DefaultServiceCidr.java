package dev.berth.apiserver.service;

import dev.berth.client.Api;
import dev.berth.client.event.EventRecorder;
import dev.berth.kinds.networking.NetworkingResources;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.network.ServiceCidrView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Note;
import dev.berth.policy.service.ServiceNetwork;
import dev.berth.policy.service.ServiceRange;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the ServiceCIDR {@code kubernetes}, which has the ranges of the server's own settings: it
 * is made where it is missing, and a second family may join it. One that differs otherwise is left
 * alone, and an event says so.
 */
public final class DefaultServiceCidr implements AutoCloseable {
  private static final String NAME = "kubernetes-service-cidr-controller";
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final ObjectName OWN = ObjectName.of(ServiceCidrView.DEFAULT_NAME);
  private static final String ERROR = "KubernetesDefaultServiceCIDRError";

  private final Registry registry;
  private final Resource resource;
  private final List<String> ranges;
  private final Loop loop;
  private final EventRecorder events;

  /** What was told since the server was started; it is not told again. */
  private final Set<Note> told = new HashSet<>();

  private DefaultServiceCidr(Registry registry, ServiceNetwork network, Api api, Time time) {
    this.registry = registry;
    this.resource = resource(registry);
    this.ranges = texts(network);
    this.loop = time.start(NAME);
    this.events = EventRecorder.counting(api, loop, time, NAME);
  }

  /** Makes it where it is missing; before that no service can be created. */
  public static void create(Registry registry, ServiceNetwork network) {
    sync(registry, resource(registry), texts(network));
  }

  /** Keeps it from now on. */
  public static DefaultServiceCidr start(
      Registry registry, ServiceNetwork network, Api api, Time time) {
    DefaultServiceCidr kept = new DefaultServiceCidr(registry, network, api, time);
    kept.loop.after(INTERVAL, kept::sync);
    return kept;
  }

  private static Resource resource(Registry registry) {
    return registry
        .catalog()
        .get(NetworkingResources.GROUP, "v1", NetworkingResources.SERVICE_CIDRS);
  }

  private static List<String> texts(ServiceNetwork network) {
    return network.ranges().stream().map(ServiceRange::toString).toList();
  }

  private void sync() {
    sync(registry, resource, ranges)
        .filter(told::add)
        .ifPresent(note ->
            registry
                .find(resource, OWN)
                .map(Stored::tree)
                .ifPresent(cidr ->
                    events.record(
                        cidr, EventRecorder.Type.WARNING, note.reason(), "Sync", note.message())));
    loop.after(INTERVAL, this::sync);
  }

  /** What is to be told, if something is wrong. */
  private static Optional<Note> sync(Registry registry, Resource resource, List<String> ranges) {
    Optional<JsonObject> found = registry.find(resource, OWN).map(Stored::tree);
    if (found.isEmpty()) {
      registry.create(
          resource,
          "",
          new JsonObject.Builder()
              .put("metadata", JsonObject.of("name", OWN.name()))
              .put("spec", JsonObject.of("cidrs", JsonArray.copyOf(ranges)))
              .build(),
          WriteOptions.DEFAULT);
      return syncStatus(registry, resource, ranges);
    }
    List<String> present = ServiceCidrView.read(found.get()).cidrs();
    boolean isJoined = ranges.size() == 2 && present.equals(ranges.subList(0, 1));
    return isJoined ? join(registry, resource, ranges) : syncStatus(registry, resource, ranges);
  }

  private static Optional<Note> join(Registry registry, Resource resource, List<String> ranges) {
    try {
      registry.modify(
          resource,
          OWN,
          WriteOptions.DEFAULT,
          old -> old.update("spec", spec -> spec.with("cidrs", JsonArray.copyOf(ranges))));
      return Optional.empty();
    } catch (StatusException e) {
      return Optional.of(
          Note.warning(
              ERROR,
              "The default ServiceCIDR can not be upgraded from %s to dual stack [%s] : %s"
                  .formatted(ranges.getFirst(), String.join(" ", ranges), e.getMessage())));
    }
  }

  private static Optional<Note> syncStatus(
      Registry registry, Resource resource, List<String> ranges) {
    JsonObject cidr = registry.get(resource, OWN).tree();
    ServiceCidrView view = ServiceCidrView.read(cidr);
    if (Metadata.of(cidr).isBeingDeleted()) {
      return Optional.empty();
    }
    if (!view.cidrs().equals(ranges)) {
      return Optional.of(
          Note.warning(
              "KubernetesDefaultServiceCIDRInconsistent",
              "The default ServiceCIDR [%s] does not match the controller flag configurations [%s]"
                  .formatted(String.join(" ", view.cidrs()), String.join(" ", ranges))));
    }
    return switch (view.ready().orElse(Conditions.UNKNOWN)) {
      case Conditions.TRUE -> Optional.empty();
      case Conditions.FALSE -> {
        JsonObject condition =
            Conditions.find(cidr.object("status").array("conditions"), ServiceCidrView.READY)
                .orElseThrow();
        yield Optional.of(
            Note.warning(
                condition.text("reason", ""),
                "Configuration matches, but " + condition.text("message", "")));
      }
      default -> {
        registry.modify(
            resource,
            OWN,
            WriteOptions.DEFAULT.subresource("status"),
            old ->
                ServiceCidrView.withReady(
                    old,
                    Conditions.TRUE,
                    "",
                    "Kubernetes default Service CIDR is ready",
                    registry.now()));
        yield Optional.empty();
      }
    };
  }

  @Override
  public void close() {
    loop.close();
  }
}
