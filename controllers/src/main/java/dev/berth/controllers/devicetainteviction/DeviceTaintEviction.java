package dev.berth.controllers.devicetainteviction;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PodWrites;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.core.Condition;
import dev.berth.model.device.DeviceId;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.device.ResourceSliceView;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.resourceclaim.DeviceEvictionTime;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Evicts pods that use devices with NoExecute taints, when {@link DeviceEvictionTime} says so.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable: when a taint was added
 * stands in its slice.
 */
public final class DeviceTaintEviction implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "device-taint-eviction-controller";

  private static final int AT_ONCE = 8;
  private static final String REASON = "DeviceTaintManagerEviction";
  private static final JsonObject CONDITION =
      Conditions.condition(
          Condition.DISRUPTION_TARGET,
          Conditions.TRUE,
          "DeletionByDeviceTaintManager",
          "Device Taint manager: deleting due to NoExecute taint");

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final BoundedRequests requests;
  private final EventRecorder events;
  private final EvictingTaints taints = new EvictingTaints();
  private final Map<ObjectName, ResourceClaimView> claims = new LinkedHashMap<>();
  private final Map<ObjectName, JsonObject> pods = new LinkedHashMap<>();

  /** The UIDs of pods that are to leave later. */
  private final Set<String> planned = new HashSet<>();

  private DeviceTaintEviction(ControllerParts parts) {
    api = parts.api();
    time = parts.time();
    loop = time.start(ACCOUNT);
    queue = new WorkQueue(parts, loop, "device_taint_eviction", AT_ONCE, this::reconcile);
    requests = new BoundedRequests(loop, AT_ONCE);
    events = EventRecorder.counting(api, loop, time, ACCOUNT);
    informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers
        .on(Resources.RESOURCE_SLICES, this::sliceChanged)
        .on(Resources.RESOURCE_CLAIMS, this::claimChanged)
        .on(Resources.PODS, this::podChanged);
  }

  public static DeviceTaintEviction start(ControllerParts parts) {
    DeviceTaintEviction controller = new DeviceTaintEviction(parts);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    pods.keySet().forEach(queue::add);
  }

  private void add(ObjectName pod) {
    if (informers.isSynced()) {
      queue.add(pod);
    }
  }

  private void sliceChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    Set<DeviceId> changed =
        after == null
            ? taints.remove(ObjectName.of(before == null ? JsonObject.EMPTY : before).name())
            : taints.put(ResourceSliceView.read(after));
    if (changed.isEmpty()) {
      return;
    }
    for (ResourceClaimView claim : claims.values()) {
      if (claim.results().stream().anyMatch(r -> changed.contains(DeviceId.read(r)))) {
        addPods(claim);
      }
    }
  }

  private void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject tree = after == null ? before : after;
    if (tree == null) {
      return;
    }
    ResourceClaimView claim = ResourceClaimView.read(tree);
    ResourceClaimView known = claims.remove(claim.name());
    if (after != null && claim.allocation() != null) {
      claims.put(claim.name(), claim);
    }
    if (known != null) {
      addPods(known);
    }
    addPods(claim);
  }

  private void addPods(ResourceClaimView claim) {
    for (ResourceClaimView.Consumer consumer : claim.reservedFor()) {
      if (consumer.isPod()) {
        add(new ObjectName(claim.name().namespace(), consumer.name()));
      }
    }
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null && (after == null || !uid(before).equals(uid(after)))) {
      pods.remove(ObjectName.of(before));
      planned.remove(uid(before));
    }
    if (after != null && !after.object("spec").array("resourceClaims").isEmpty()) {
      pods.put(ObjectName.of(after), after);
      add(ObjectName.of(after));
    }
  }

  private static String uid(JsonObject object) {
    return Metadata.of(object).uid();
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    JsonObject pod = pods.get(name);
    if (pod == null || Metadata.of(pod).isBeingDeleted()) {
      item.succeeded();
      return;
    }
    Optional<Instant> due = DeviceEvictionTime.of(pod, claims::get, taints::of);
    Instant now = time.now();
    if (due.isEmpty()) {
      if (planned.remove(uid(pod))) {
        record(pod, "Cancelling deletion");
      }
      item.succeeded();
    } else if (due.get().isAfter(now)) {
      planned.add(uid(pod));
      item.succeeded();
      queue.addAfter(name, Duration.between(now, due.get()));
    } else {
      planned.remove(uid(pod));
      record(pod, "Marking for deletion");
      requests.run(
          () -> PodWrites.explainAndDelete(api, pod, CONDITION, DeleteOptions.NONE, now),
          result -> ended(result, item));
    }
  }

  private void record(JsonObject pod, String note) {
    events.record(pod, EventRecorder.Type.NORMAL, REASON, REASON, note);
  }

  private static void ended(ApiResult result, WorkQueue.Item item) {
    if (result.isDone() || result.isNotFound()) {
      item.succeeded();
    } else {
      item.failed();
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
