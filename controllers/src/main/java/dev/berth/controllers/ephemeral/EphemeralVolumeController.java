package dev.berth.controllers.ephemeral;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.EphemeralVolume;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.EphemeralClaim;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the claims of volumes that live and go with their pods. They belong to the pod, so that the
 * garbage collector takes them away after it.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class EphemeralVolumeController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "ephemeral-volume-controller";

  private static final String REPORTER = "ephemeral_volume";
  private static final int AT_ONCE = 8;

  private final Api api;
  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final BoundedRequests requests;
  private final EventRecorder events;

  /** Pods with such volumes that are not being deleted. */
  private final Map<ObjectName, JsonObject> pods = new HashMap<>();

  /** The UIDs of those that have all their claims. */
  private final Set<String> provided = new HashSet<>();

  /** What is wrong with a volume of a pod. */
  private record Problem(String volume, ApiResult.Failure why) {}

  private EphemeralVolumeController(ControllerParts parts) {
    api = parts.api();
    Time time = parts.time();
    loop = time.start(ACCOUNT);
    queue = new WorkQueue(parts, loop, "ephemeral_volume", AT_ONCE, this::reconcile);
    requests = new BoundedRequests(loop, AT_ONCE);
    events = EventRecorder.counting(api, loop, time, REPORTER);
    informers = new InformerSet(parts.informers(), loop, () -> {}, parts.warnings());
    informers
        .on(Resources.PODS, this::podChanged)
        .on(Resources.PERSISTENT_VOLUME_CLAIMS, this::claimChanged);
  }

  public static EphemeralVolumeController start(ControllerParts parts) {
    EphemeralVolumeController controller = new EphemeralVolumeController(parts);
    controller.informers.start();
    return controller;
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null && (after == null || !uid(before).equals(uid(after)))) {
      pods.remove(ObjectName.of(before));
      provided.remove(uid(before));
    }
    if (after == null || !hasEphemeral(after)) {
      return;
    }
    if (Metadata.of(after).isBeingDeleted()) {
      pods.remove(ObjectName.of(after));
      provided.remove(uid(after));
    } else {
      pods.put(ObjectName.of(after), after);
      if (!provided.contains(uid(after))) {
        queue.add(ObjectName.of(after));
      }
    }
  }

  /** A claim that somebody deleted is made again. */
  private void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before == null || (after != null && uid(before).equals(uid(after)))) {
      return;
    }
    Metadata.of(before)
        .controller()
        .filter(owner -> owner.kind().equals("Pod"))
        .ifPresent(owner -> {
          provided.remove(owner.uid());
          queue.add(new ObjectName(Metadata.of(before).namespace(), owner.name()));
        });
  }

  private static boolean hasEphemeral(JsonObject pod) {
    return PodClaim.of(pod).stream().anyMatch(PodClaim::ephemeral);
  }

  private static String uid(JsonObject object) {
    return Metadata.of(object).uid();
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    JsonObject pod = pods.get(name);
    if (pod == null || provided.contains(uid(pod))) {
      item.succeeded();
      return;
    }
    provided.add(uid(pod));
    requests.run(() -> provide(pod), problem -> end(pod, problem, item));
  }

  /** Runs beside the loop. */
  private Optional<Problem> provide(JsonObject pod) {
    for (EphemeralVolume volume : EphemeralVolume.of(pod)) {
      ApiResult result = provide(pod, EphemeralClaim.make(pod, volume));
      if (result instanceof ApiResult.Failure why) {
        return Optional.of(new Problem(volume.name(), why));
      }
    }
    return Optional.empty();
  }

  private ApiResult provide(JsonObject pod, JsonObject claim) {
    ObjectName name = ObjectName.of(claim);
    ApiResult found = api.get(Resources.PERSISTENT_VOLUME_CLAIMS, name);
    if (found.isNotFound()) {
      return api.create(Resources.PERSISTENT_VOLUME_CLAIMS, claim);
    }
    return found instanceof ApiResult.Done(JsonObject there) && !EphemeralClaim.isOf(pod, there)
        ? new ApiResult.Refused(
            ApiError.of(
                409,
                "PVC %s was not created for pod %s (pod is not owner)"
                    .formatted(name, ObjectName.of(pod))))
        : found;
  }

  private void end(JsonObject pod, Optional<Problem> problem, WorkQueue.Item item) {
    if (problem.isEmpty()) {
      item.succeeded();
      return;
    }
    provided.remove(uid(pod));
    if (problem.get().why() instanceof ApiResult.Refused) {
      events.record(
          pod,
          EventRecorder.Type.WARNING,
          "FailedBinding",
          "FailedBinding",
          "ephemeral volume %s: %s"
              .formatted(problem.get().volume(), problem.get().why().message()));
    }
    item.failed();
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
