package dev.berth.controllers.endpointslicemirroring;

import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.endpointslice.SliceWrites;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.network.EndpointsView;
import dev.berth.model.network.ServiceView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.endpoint.MirrorPlan;
import dev.berth.time.Loop;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps slices of Endpoints that somebody else writes, for those who read nothing but slices;
 * {@link MirrorPlan} says which, and what is in them. A slice that it made counts before it is
 * heard of, so none is made twice.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class EndpointSliceMirroringController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "endpointslicemirroring-controller";

  private static final String REPORTER = "endpoint-slice-mirroring-controller";
  private static final int AT_ONCE = 8;
  private static final String OWN =
      WellKnownLabels.ENDPOINT_SLICE_MANAGED_BY + "=" + MirrorPlan.MANAGER;

  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final KnownObjects endpoints = new KnownObjects();
  private final Map<ObjectName, ServiceView> services = new HashMap<>();
  private final OwnedObjects slices;
  private final SliceWrites writes;
  private final EventRecorder events;

  /** The slices, by the service that they are of, and by uid. */
  private final Map<ObjectName, Map<String, JsonObject>> slicesOf = new HashMap<>();

  private EndpointSliceMirroringController(ControllerParts parts) {
    this.loop = parts.time().start("endpoint-slice-mirroring");
    this.queue = new WorkQueue(parts, loop, "endpoint_slice_mirroring", AT_ONCE, this::reconcile);
    this.slices = new OwnedObjects(parts.time(), new ByService());
    this.writes =
        new SliceWrites(parts, loop, slices, "endpoint_slice_mirroring_controller_changes");
    this.events = EventRecorder.counting(parts.api(), loop, parts.time(), REPORTER);
    this.informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers
        .on(Resources.SERVICES, this::serviceChanged)
        .on(Resources.ENDPOINTS, this::endpointsChanged)
        .on(ListRequest.of(Resources.ENDPOINT_SLICES).labels(OWN), this::sliceChanged);
  }

  public static EndpointSliceMirroringController start(ControllerParts parts) {
    EndpointSliceMirroringController controller = new EndpointSliceMirroringController(parts);
    controller.informers.start();
    return controller;
  }

  /** Keeps {@link #slicesOf} as {@link #slices} are. */
  private final class ByService implements OwnedObjects.Listener {
    @Override
    public void came(String controllerUid, JsonObject slice) {
      slicesOf
          .computeIfAbsent(service(slice), _ -> new LinkedHashMap<>())
          .put(Metadata.of(slice).uid(), slice);
    }

    @Override
    public void left(String controllerUid, JsonObject slice) {
      slicesOf.computeIfPresent(
          service(slice),
          (_, held) -> {
            held.remove(Metadata.of(slice).uid());
            return held.isEmpty() ? null : held;
          });
    }
  }

  private static ObjectName service(JsonObject slice) {
    Metadata metadata = Metadata.of(slice);
    return new ObjectName(
        metadata.namespace(), metadata.label(WellKnownLabels.SERVICE_NAME).orElse(""));
  }

  private void synced() {
    endpoints.values().forEach(object -> addIfMine(ObjectName.of(object)));
    List.copyOf(slicesOf.keySet()).forEach(queue::add);
  }

  private void serviceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      services.put(ObjectName.of(after), ServiceView.read(after));
    } else if (before != null) {
      services.remove(ObjectName.of(before));
    }
    changed(before, after);
  }

  private void endpointsChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    endpoints.changed(before, after);
    changed(before, after);
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told != null && informers.isSynced()) {
      addIfMine(ObjectName.of(told));
    }
  }

  private void sliceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    slices.changed(before, after);
    JsonObject told = after == null ? before : after;
    if (told != null && informers.isSynced()) {
      queue.add(service(told));
    }
  }

  /** Most Endpoints are those of services that select pods, and concern nobody here. */
  private void addIfMine(ObjectName name) {
    if (isMirrored(name) || slicesOf.containsKey(name)) {
      queue.add(name);
    }
  }

  private boolean isMirrored(ObjectName name) {
    return endpoints
        .get(name)
        .filter(object -> MirrorPlan.isMirrored(new EndpointsView(object), services.get(name)))
        .isPresent();
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    Collection<JsonObject> there =
        slicesOf.getOrDefault(name, Map.of()).values().stream()
            .filter(slice -> !slices.isBeingDeleted(slice))
            .toList();
    if (!isMirrored(name)) {
      writes.begin(name, MirrorPlan.nothing(there).slices(), item);
      return;
    }
    JsonObject object = endpoints.get(name).orElseThrow();
    if (Metadata.of(object).isBeingDeleted()) {
      item.succeeded();
      return;
    }
    MirrorPlan plan = MirrorPlan.of(new EndpointsView(object), there);
    if (plan.skipped() > 0) {
      events.record(
          object,
          EventRecorder.Type.WARNING,
          "TooManyAddressesToMirror",
          "Mirroring",
          "A max of %d addresses can be mirrored to EndpointSlices per Endpoints subset. %d addresses were skipped"
              .formatted(MirrorPlan.MOST_ADDRESSES, plan.skipped()));
    }
    writes.begin(name, plan.slices(), item);
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
