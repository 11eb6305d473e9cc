package dev.berth.controllers.job;

import dev.berth.client.ApiResult;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.RetryingRequests;
import dev.berth.model.batch.JobView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.job.JobPod;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Pods that are tracked though no job will count them: they lose their finalizers, without which
 * they could never go. A pod is stray
 *
 * <ol>
 *   <li>if nobody controls it;
 *   <li>if its job has finished;
 *   <li>if there is no such job, and it is being deleted: until then its job may only not have been
 *       heard of.
 * </ol>
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class StrayPods {
  private final PodRequests requests;
  private final RetryingRequests retrying;
  private final KnownObjects jobs;
  private final OwnedObjects pods;

  /** By the pod's UID. */
  private final Map<String, RetryingRequests.RetryingRequest> underWay = new HashMap<>();

  StrayPods(PodRequests requests, RetryingRequests retrying, KnownObjects jobs, OwnedObjects pods) {
    this.requests = requests;
    this.retrying = retrying;
    this.jobs = jobs;
    this.pods = pods;
  }

  /** Pods whose job is gone or has finished. */
  void left(Collection<JsonObject> left) {
    List.copyOf(left).forEach(this::podChanged);
  }

  /** A pod has come or changed. */
  void podChanged(JsonObject pod) {
    String uid = Metadata.of(pod).uid();
    RetryingRequests.RetryingRequest known = underWay.get(uid);
    if (known != null) {
      known.changed();
    } else if (isStray(pod)) {
      RetryingRequests.RetryingRequest request = retrying.make(new Free(uid));
      underWay.put(uid, request);
      request.begin();
    }
  }

  private boolean isStray(JsonObject pod) {
    if (!JobPod.hasFinalizer(pod)) {
      return false;
    }
    Metadata metadata = Metadata.of(pod);
    Optional<OwnerReference> owner = metadata.controller();
    if (owner.isEmpty()) {
      return true;
    }
    if (!JobController.KIND.isKindOf(owner.get())) {
      return false;
    }
    return jobs.get(new ObjectName(metadata.namespace(), owner.get().name()))
        .filter(job -> Metadata.of(job).uid().equals(owner.get().uid()))
        .map(JobView::new)
        .map(job -> job.isFinished() && !job.isManagedByAnother())
        .orElse(metadata.isBeingDeleted());
  }

  /** Takes the finalizer of one pod, if nobody has adopted it since it was seen. */
  private final class Free implements RetryingRequests.Task {
    private final String uid;

    Free(String uid) {
      this.uid = uid;
    }

    @Override
    public Optional<Supplier<ApiResult>> next() {
      Optional<JsonObject> stray = pods.get(uid).filter(StrayPods.this::isStray);
      if (stray.isEmpty()) {
        underWay.remove(uid);
        return Optional.empty();
      }
      JsonObject seen = stray.get();
      return Optional.of(() -> freed(requests.untrackAsSeen(seen)));
    }

    private static ApiResult freed(ApiResult result) {
      return result.isNotFound() ? new ApiResult.Done(JsonObject.EMPTY) : result;
    }

    @Override
    public void done() {
      underWay.remove(uid);
    }

    @Override
    public void failed(ApiResult.Failure why, Duration delay) {
      // It is tried again.
    }
  }
}
