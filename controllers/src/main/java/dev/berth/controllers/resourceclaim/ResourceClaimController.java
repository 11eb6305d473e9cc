package dev.berth.controllers.resourceclaim;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.event.EventRecorder;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.device.PodResourceClaim;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.resourceclaim.ClaimReleasePlan;
import dev.berth.policy.resourceclaim.ClaimUsers;
import dev.berth.policy.resourceclaim.PodClaimPlan;
import dev.berth.policy.resourceclaim.PodClaimPlan.Problem;
import dev.berth.policy.resourceclaim.PodClaimPlan.Step;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the claims that pods ask for by templates ({@link PodClaimPlan}), and gives back those that
 * nobody uses any more ({@link ClaimReleasePlan}).
 *
 * <p>One loop owns everything it knows, and nothing of that is durable: a claim that was made is
 * found by its owner, even if its name was not recorded.
 */
public final class ResourceClaimController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "resource-claim-controller";

  private static final String REPORTER = "resource_claim";
  private static final String FIELD_MANAGER = "ResourceClaimController";

  /** Upstream's {@code concurrent-resource-claim-syncs}. */
  private static final int AT_ONCE = 10;

  private final Api api;
  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue podQueue;
  private final WorkQueue claimQueue;
  private final BoundedRequests requests;
  private final EventRecorder events;
  private final KnownClaims known = new KnownClaims();
  private boolean isSynced;

  private ResourceClaimController(ControllerParts parts) {
    api = parts.api();
    Time time = parts.time();
    loop = time.start(ACCOUNT);
    podQueue = new WorkQueue(parts, loop, "resource_claim_pods", AT_ONCE, this::reconcilePod);
    claimQueue = new WorkQueue(parts, loop, "resource_claim", AT_ONCE, this::reconcileClaim);
    requests = new BoundedRequests(loop, AT_ONCE);
    events = EventRecorder.counting(api, loop, time, REPORTER);
    informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers
        .on(Resources.RESOURCE_CLAIM_TEMPLATES, this::templateChanged)
        .on(Resources.RESOURCE_CLAIMS, this::claimChanged)
        .on(Resources.PODS, this::podChanged);
  }

  public static ResourceClaimController start(ControllerParts parts) {
    ResourceClaimController controller = new ResourceClaimController(parts);
    controller.informers.start();
    return controller;
  }

  /** What waited until everything was heard of may be reconciled now. */
  private void synced() {
    isSynced = true;
    known.allPods().forEach(podQueue::add);
    known.allClaims().forEach(claimQueue::add);
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null
        && (after == null || !uid(before).equals(uid(after)))
        && KnownClaims.usesClaims(before)) {
      known.podDeleted(before);
      addClaims(before);
    }
    if (after == null || !KnownClaims.usesClaims(after)) {
      return;
    }
    known.putPod(after);
    if (PodClaimPlan.isDone(after)) {
      addClaims(after);
    }
    add(podQueue, ObjectName.of(after));
  }

  private void addClaims(JsonObject pod) {
    PodResourceClaim.names(pod).forEach(name -> add(claimQueue, name));
  }

  private void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    ObjectName name = ObjectName.of(after == null ? before(before) : after);
    if (after == null) {
      known.removeClaim(name);
    } else {
      known.putClaim(after);
      add(claimQueue, name);
    }
    known.podsWithClaim(name).forEach(pod -> add(podQueue, pod));
  }

  private void templateChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      known.removeTemplate(ObjectName.of(before(before)));
      return;
    }
    known.putTemplate(after);
    known.podsWithTemplate(ObjectName.of(after)).forEach(pod -> add(podQueue, pod));
  }

  private static JsonObject before(@Nullable JsonObject before) {
    return before == null ? JsonObject.EMPTY : before;
  }

  private static String uid(JsonObject object) {
    return Metadata.of(object).uid();
  }

  private void add(WorkQueue queue, ObjectName name) {
    if (isSynced) {
      queue.add(name);
    }
  }

  // Pods.

  private void reconcilePod(ObjectName name, WorkQueue.Item item) {
    JsonObject pod = known.pod(name);
    PodClaimPlan plan = pod == null ? null : PodClaimPlan.decide(known.of(pod));
    if (pod == null || plan == null || plan.isEmpty()) {
      item.succeeded();
      return;
    }
    requests.run(() -> carryOut(pod, plan), outcome -> podEnded(pod, outcome, item));
  }

  /**
   * What came of a plan for a pod.
   *
   * @param made claims that were created
   * @param problem what a user is to hear of
   * @param failure what else went wrong
   */
  private record PodOutcome(
      List<JsonObject> made, Optional<Problem> problem, Optional<ApiResult.Failure> failure) {}

  /** Runs beside the loop. */
  private PodOutcome carryOut(JsonObject pod, PodClaimPlan plan) {
    List<JsonObject> made = new ArrayList<>();
    List<JsonObject> statuses = new ArrayList<>();
    for (Step step : plan.claims()) {
      switch (step) {
        case Step.Found(String podClaim, String claim) -> statuses.add(status(podClaim, claim));
        case Step.Create(String podClaim, JsonObject draft) -> {
          switch (api.create(Resources.RESOURCE_CLAIMS, draft)) {
            case ApiResult.Done(JsonObject claim) -> {
              made.add(claim);
              statuses.add(status(podClaim, Metadata.of(claim).name()));
            }
            case ApiResult.Failure why -> {
              return why.isNamespaceGoing()
                  ? new PodOutcome(made, Optional.empty(), Optional.empty())
                  : new PodOutcome(made, refused(podClaim, why), Optional.of(why));
            }
          }
        }
      }
    }
    if (plan.problem().isPresent()) {
      return new PodOutcome(
          made,
          plan.problem(),
          Optional.of(new ApiResult.Refused(ApiError.of(404, plan.problem().get().message()))));
    }
    if (!statuses.isEmpty() && record(pod, statuses) instanceof ApiResult.Failure why) {
      return new PodOutcome(made, Optional.empty(), failureUnlessGone(why));
    }
    for (JsonObject claim : plan.reservations()) {
      if (api.updateStatus(Resources.RESOURCE_CLAIMS, claim) instanceof ApiResult.Failure why) {
        return new PodOutcome(made, Optional.empty(), failureUnlessGone(why));
      }
    }
    return new PodOutcome(made, Optional.empty(), Optional.empty());
  }

  private static Optional<Problem> refused(String podClaim, ApiResult.Failure why) {
    return why instanceof ApiResult.Refused
        ? Optional.of(new Problem(podClaim, "create ResourceClaim : " + why.message()))
        : Optional.empty();
  }

  private static JsonObject status(String podClaim, String claim) {
    return new JsonObject.Builder().put("name", podClaim).put("resourceClaimName", claim).build();
  }

  private ApiResult record(JsonObject pod, List<JsonObject> statuses) {
    ObjectName name = ObjectName.of(pod);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("namespace", name.namespace())
            .put("name", name.name())
            .put("uid", uid(pod))
            .build();
    JsonObject applied =
        new JsonObject.Builder()
            .put("apiVersion", "v1")
            .put("kind", "Pod")
            .put("metadata", metadata)
            .put("status", JsonObject.of("resourceClaimStatuses", JsonArray.copyOf(statuses)))
            .build();
    Target status = Target.of(Resources.PODS, name).subresource("status");
    return api.send(new ApiRequest.Apply(status, applied, FIELD_MANAGER, true));
  }

  private static Optional<ApiResult.Failure> failureUnlessGone(ApiResult.Failure why) {
    return why.isNotFound() ? Optional.empty() : Optional.of(why);
  }

  private void podEnded(JsonObject pod, PodOutcome outcome, WorkQueue.Item item) {
    // What was made counts before it is heard of, so that it is not made twice.
    outcome.made().forEach(known::putClaim);
    outcome
        .problem()
        .ifPresent(problem ->
            events.record(
                pod,
                EventRecorder.Type.WARNING,
                "FailedResourceClaimCreation",
                "FailedResourceClaimCreation",
                "PodResourceClaim " + problem.podClaim() + ": " + problem.message()));
    if (outcome.failure().isEmpty()) {
      item.succeeded();
    } else {
      item.failed();
    }
  }

  // Claims.

  private void reconcileClaim(ObjectName name, WorkQueue.Item item) {
    ResourceClaimView claim = known.claim(name);
    if (claim == null) {
      item.succeeded();
      return;
    }
    Set<String> gone = new HashSet<>();
    List<ResourceClaimView.Consumer> unknown = new ArrayList<>();
    for (ResourceClaimView.Consumer consumer : claim.reservedFor()) {
      if (!consumer.isPod()) {
        continue;
      }
      JsonObject pod = known.pod(new ObjectName(name.namespace(), consumer.name()));
      if (known.isDeleted(consumer.uid())) {
        gone.add(consumer.uid());
      } else if (pod == null) {
        unknown.add(consumer);
      } else if (!uid(pod).equals(consumer.uid()) || PodClaimPlan.isDone(pod)) {
        gone.add(consumer.uid());
      }
    }
    ClaimUsers users = new ClaimUsers(claim, gone, isOwnerDone(claim));
    if (unknown.isEmpty() && ClaimReleasePlan.decide(users).isEmpty()) {
      item.succeeded();
      return;
    }
    requests.run(
        () -> release(users, unknown),
        result -> {
          if (result.isDone() || result.isNotFound()) {
            item.succeeded();
          } else {
            item.failed();
          }
        });
  }

  private boolean isOwnerDone(ResourceClaimView claim) {
    return KnownClaims.owningPod(claim)
        .filter(owner -> {
          JsonObject pod = known.pod(new ObjectName(claim.name().namespace(), owner.name()));
          return pod != null && (!uid(pod).equals(owner.uid()) || PodClaimPlan.isDone(pod));
        })
        .isPresent();
  }

  /**
   * Gives back a claim; runs beside the loop. A pod that is not known may be one that is not heard
   * of yet, so the server is asked: to take a claim from a pod that is just being scheduled would
   * be bad.
   */
  private ApiResult release(ClaimUsers users, List<ResourceClaimView.Consumer> unknown) {
    ObjectName name = users.claim().name();
    Set<String> gone = new HashSet<>(users.goneConsumers());
    for (ResourceClaimView.Consumer consumer : unknown) {
      ApiResult found = api.get(Resources.PODS, new ObjectName(name.namespace(), consumer.name()));
      if (found.isNotFound()
          || (found instanceof ApiResult.Done(JsonObject pod)
              && !uid(pod).equals(consumer.uid()))) {
        gone.add(consumer.uid());
      } else if (!found.isDone()) {
        return found;
      }
    }
    ClaimReleasePlan plan =
        ClaimReleasePlan.decide(new ClaimUsers(users.claim(), gone, users.isOwnerDone()));
    JsonObject now = users.claim().tree();
    if (plan.status().isPresent()) {
      ApiResult written = api.updateStatus(Resources.RESOURCE_CLAIMS, plan.status().get());
      if (!(written instanceof ApiResult.Done(JsonObject claim))) {
        return written;
      }
      now = claim;
    }
    if (plan.losesFinalizer()) {
      JsonObject without = Metadata.withoutFinalizer(now, ResourceClaimView.FINALIZER);
      ApiResult written = api.update(Resources.RESOURCE_CLAIMS, without);
      if (!written.isDone()) {
        return written;
      }
    }
    return plan.isDeleted() ? api.delete(Resources.RESOURCE_CLAIMS, name) : new ApiResult.Done(now);
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
