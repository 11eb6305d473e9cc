package dev.berth.controllers.endpointslice;

import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.controllers.selected.SelectedPods;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.network.ServiceView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.endpoint.EndpointPod;
import dev.berth.policy.endpoint.EndpointService;
import dev.berth.policy.endpoint.SlicePlan;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the endpoint slices of services that select pods; {@link SlicePlan} says what is in them.
 *
 * <ol>
 *   <li>A service that is new or changed is reconciled at once. One whose pods changed is
 *       reconciled a tenth of a second later, and later by so much the more pods it has, half a
 *       second at most: what happens to many pods at once is one write per slice, and a pod that
 *       leaves is gone from its slice within a second.
 *   <li>A slice that it made counts before it is heard of, so none is made twice; should one be all
 *       the same, because an answer was lost, the second is emptied and goes.
 *   <li>The slices of a service that is gone are left to the garbage collector, since it owns them.
 * </ol>
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class EndpointSliceController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "endpointslice-controller";

  private static final int AT_ONCE = 16;
  private static final int LEAST_DELAY = 100;
  private static final int MOST_DELAY = 500;
  private static final int PODS_A_MILLISECOND = 25;
  private static final String OWN =
      WellKnownLabels.ENDPOINT_SLICE_MANAGED_BY + "=" + EndpointService.MANAGER;

  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final SelectedPods<EndpointPod> pods;
  private final NodeZones nodes = new NodeZones();
  private final OwnedObjects slices;
  private final SliceWrites writes;

  /** Those that have pods of their own. */
  private final Map<ObjectName, JsonObject> services = new HashMap<>();

  /** When the first change came that was not written down yet. */
  private final Map<ObjectName, Instant> triggers = new HashMap<>();

  private EndpointSliceController(ControllerParts parts) {
    this.time = parts.time();
    this.loop = time.start("endpoint-slices");
    this.queue = new WorkQueue(parts, loop, "endpoint_slice", AT_ONCE, this::reconcile);
    this.slices = new OwnedObjects(time);
    this.writes = new SliceWrites(parts, loop, slices, "endpoint_slice_controller_changes");
    this.pods = new SelectedPods<>(EndpointPod::read, this::addSoon);
    this.informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers
        .on(Resources.SERVICES, this::serviceChanged)
        .on(Resources.NODES, this::nodeChanged)
        .on(Resources.PODS, pods::podChanged)
        .on(ListRequest.of(Resources.ENDPOINT_SLICES).labels(OWN), this::sliceChanged);
  }

  public static EndpointSliceController start(ControllerParts parts) {
    EndpointSliceController controller = new EndpointSliceController(parts);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    nodes.takeChanged();
    pods.begin();
    services.keySet().forEach(queue::add);
  }

  private void serviceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null && EndpointService.read(after).hasPods()) {
      ObjectName name = ObjectName.of(after);
      services.put(name, after);
      pods.select(name, LabelSelector.ofLabels(ServiceView.read(after).selector()));
      if (informers.isSynced()) {
        queue.add(name);
      }
    } else if (before != null) {
      ObjectName name = ObjectName.of(before);
      services.remove(name);
      triggers.remove(name);
      pods.forget(name);
    }
  }

  private void sliceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    slices.changed(before, after);
    JsonObject told = after == null ? before : after;
    if (told != null && informers.isSynced()) {
      Metadata metadata = Metadata.of(told);
      metadata
          .controller()
          .map(OwnerReference::name)
          .map(owner -> new ObjectName(metadata.namespace(), owner))
          .filter(services::containsKey)
          .ifPresent(this::addSoon);
    }
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (nodes.changed(before, after) && informers.isSynced()) {
      loop.after(Duration.ofMillis(LEAST_DELAY), this::addServicesOfChangedNodes);
    }
  }

  /** Has the services reconciled that have pods on nodes that have come, gone or moved. */
  private void addServicesOfChangedNodes() {
    Set<String> changed = nodes.takeChanged();
    pods.forEach((service, pod) -> {
      if (changed.contains(pod.nodeName())) {
        queue.add(service);
      }
    });
  }

  private void addSoon(ObjectName service) {
    triggers.putIfAbsent(service, time.now());
    int delay = Math.min(LEAST_DELAY + pods.of(service).size() / PODS_A_MILLISECOND, MOST_DELAY);
    queue.addAfter(service, Duration.ofMillis(delay));
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    JsonObject service = services.get(name);
    Optional<Instant> trigger = Optional.ofNullable(triggers.remove(name));
    if (service == null || Metadata.of(service).isBeingDeleted()) {
      item.succeeded();
      return;
    }
    Collection<JsonObject> own =
        slices.of(Metadata.of(service).uid()).stream()
            .filter(slice -> !slices.isBeingDeleted(slice))
            .toList();
    SlicePlan plan =
        SlicePlan.of(
            EndpointService.read(service), pods.of(name), nodes.zones(), List.copyOf(own), trigger);
    writes.begin(name, plan, item);
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
