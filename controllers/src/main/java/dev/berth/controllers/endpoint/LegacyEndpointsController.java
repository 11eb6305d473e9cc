package dev.berth.controllers.endpoint;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.controllers.selected.SelectedPods;
import dev.berth.model.meta.Metadata;
import dev.berth.model.network.ServiceView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.endpoint.EndpointPod;
import dev.berth.policy.endpoint.EndpointService;
import dev.berth.policy.endpoint.LegacyEndpoints;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the Endpoints object of each service that selects pods, for those who do not read slices
 * yet; {@link LegacyEndpoints} says what is in it. Changes of pods wait a moment for others, since
 * each costs a write of the whole object. The object of a service that is gone is deleted.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class LegacyEndpointsController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "endpoint-controller";

  private static final int AT_ONCE = 8;
  private static final Duration BATCH = Duration.ofMillis(500);
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);
  private static final String OWN = "endpoints.kubernetes.io/managed-by";

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final BoundedRequests requests;
  private final SelectedPods<EndpointPod> pods;
  private final KnownObjects endpoints = new KnownObjects();
  private final Consumer<String> warnings;

  /** Those that have pods of their own. */
  private final Map<ObjectName, JsonObject> services = new HashMap<>();

  /** When the first change came that was not written down yet. */
  private final Map<ObjectName, Instant> triggers = new HashMap<>();

  private Instant nextComplaint = Instant.MIN;

  private LegacyEndpointsController(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.loop = time.start("endpoints");
    this.warnings = parts.warnings();
    this.queue = new WorkQueue(parts, loop, "endpoint", AT_ONCE, this::reconcile);
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.pods = new SelectedPods<>(EndpointPod::read, this::addSoon);
    this.informers = new InformerSet(parts.informers(), loop, this::synced, warnings);
    informers
        .on(Resources.SERVICES, this::serviceChanged)
        .on(Resources.PODS, pods::podChanged)
        .on(Resources.ENDPOINTS, this::endpointsChanged);
  }

  public static LegacyEndpointsController start(ControllerParts parts) {
    LegacyEndpointsController controller = new LegacyEndpointsController(parts);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    pods.begin();
    services.keySet().forEach(queue::add);
    endpoints.values().forEach(object -> queue.add(ObjectName.of(object)));
  }

  private void serviceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    ObjectName name = ObjectName.of(told);
    if (after != null && EndpointService.read(after).hasPods()) {
      services.put(name, after);
      pods.select(name, LabelSelector.ofLabels(ServiceView.read(after).selector()));
    } else {
      services.remove(name);
      triggers.remove(name);
      pods.forget(name);
    }
    if (informers.isSynced()) {
      // A service that has lost its selector keeps what it had, as upstream has it.
      queue.add(name);
    }
  }

  private void endpointsChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    endpoints.changed(before, after);
    JsonObject told = after == null ? before : after;
    if (told != null && informers.isSynced()) {
      addSoon(ObjectName.of(told));
    }
  }

  private void addSoon(ObjectName name) {
    if (services.containsKey(name)) {
      triggers.putIfAbsent(name, time.now());
    }
    queue.addAfter(name, BATCH);
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    JsonObject service = services.get(name);
    Optional<JsonObject> held = endpoints.get(name);
    Optional<Instant> trigger = Optional.ofNullable(triggers.remove(name));
    if (service == null) {
      removeIfOrphaned(name, held, item);
      return;
    }
    JsonObject before = held.orElse(JsonObject.EMPTY);
    JsonObject after =
        LegacyEndpoints.of(EndpointService.read(service), pods.of(name), before, trigger);
    if (after.equals(before)) {
      item.succeeded();
    } else if (held.isEmpty()) {
      send(name, () -> api.create(Resources.ENDPOINTS, after), item);
    } else {
      send(name, () -> api.update(Resources.ENDPOINTS, after), item);
    }
  }

  /** Deletes what was made here for a service that is no more; others keep theirs by hand. */
  private void removeIfOrphaned(ObjectName name, Optional<JsonObject> held, WorkQueue.Item item) {
    if (held.flatMap(object -> Metadata.of(object).label(OWN)).isEmpty()) {
      item.succeeded();
      return;
    }
    DeleteOptions only = DeleteOptions.NONE.onlyUid(Metadata.of(held.orElseThrow()).uid());
    requests.run(
        () -> {
          ApiResult service = api.get(Resources.SERVICES, name);
          return service.isNotFound() ? api.delete(Resources.ENDPOINTS, name, only) : service;
        },
        result -> ended(name, result, item));
  }

  private void send(ObjectName name, Supplier<ApiResult> request, WorkQueue.Item item) {
    requests.run(
        request,
        result -> {
          if (result instanceof ApiResult.Done(JsonObject written)) {
            endpoints.written(written);
          }
          ended(name, result, item);
        });
  }

  private void ended(ObjectName name, ApiResult result, WorkQueue.Item item) {
    switch (result) {
      case ApiResult.Done _ -> item.succeeded();
      case ApiResult.Failure why when why.isNamespaceGoing() -> item.succeeded();
      case ApiResult.Failure why -> {
        complain(name, why);
        item.failed();
      }
    }
  }

  private void complain(ObjectName name, ApiResult.Failure why) {
    Instant now = time.monotonicNow();
    boolean explainsItself = why.isConflict() || why.isNotFound() || why.isAlreadyExists();
    if (!explainsItself && !now.isBefore(nextComplaint)) {
      nextComplaint = now.plus(BETWEEN_COMPLAINTS);
      warnings.accept(
          "cannot write the endpoints of service %s, and tries again: %s"
              .formatted(name, why.message()));
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
