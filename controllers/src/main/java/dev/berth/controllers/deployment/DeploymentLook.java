package dev.berth.controllers.deployment;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.EventRecorder;
import dev.berth.client.Resources;
import dev.berth.controllers.ControllerParts;
import dev.berth.controllers.WorkQueue;
import dev.berth.controllers.owned.Adoption;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.deployment.DeploymentAction;
import dev.berth.policy.deployment.DeploymentPlan;
import dev.berth.policy.deployment.TemplateHash;
import dev.berth.policy.owner.Ownership;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * Looks at a deployment: claims sets, then does one step of a plan, action by action, then writes
 * how it stands; and looks again, until there is nothing to do. What fails is tried again: a write
 * names the revision that the decision was made on, so that none is made on an older state.
 *
 * <p>It lives on its controller's loop.
 */
final class DeploymentLook {
  /** How many deployments are looked at at once. */
  private static final int LOOKS_AT_ONCE = 64;

  private static final int REQUESTS_AT_ONCE = 16;

  private final Api api;
  private final Time time;
  private final KnownObjects deployments;
  private final OwnedObjects sets;
  private final BoundedRequests requests;
  private final EventRecorder events;
  private final WorkQueue queue;

  DeploymentLook(ControllerParts parts, Loop loop, KnownObjects deployments, OwnedObjects sets) {
    this.api = parts.api();
    this.time = parts.time();
    this.deployments = deployments;
    this.sets = sets;
    this.requests = new BoundedRequests(loop, REQUESTS_AT_ONCE);
    this.events = new EventRecorder(api, loop, time, Deployments.ACCOUNT, parts.instance());
    this.queue = new WorkQueue(loop, time, LOOKS_AT_ONCE, this::look);
  }

  WorkQueue queue() {
    return queue;
  }

  private void look(ObjectName name, WorkQueue.Look look) {
    deployments.get(name).ifPresentOrElse(found -> look(found, look), look::succeeded);
  }

  private void look(JsonObject deployment, WorkQueue.Look look) {
    Metadata metadata = Metadata.of(deployment);
    Ownership ownership =
        Ownership.of(
            deployment,
            Deployments.selector(deployment),
            sets.claimable(metadata.uid(), metadata.namespace()));
    Deque<Supplier<ApiResult>> claims = claims(deployment, ownership);
    if (!claims.isEmpty()) {
      claim(deployment, claims, look);
      return;
    }
    List<JsonObject> owned = new ArrayList<>();
    for (JsonObject set : ownership.owned()) {
      if (!sets.isBeingDeleted(set)) {
        owned.add(set);
      }
    }
    DeploymentPlan plan = DeploymentPlan.decide(deployment, owned, time.now());
    act(new Doing(deployment, plan, new ArrayDeque<>(plan.actions()), look));
  }

  private Deque<Supplier<ApiResult>> claims(JsonObject deployment, Ownership ownership) {
    Deque<Supplier<ApiResult>> claims = new ArrayDeque<>();
    for (JsonObject set : ownership.adopt()) {
      claims.add(() ->
          Adoption.adopt(api, Resources.DEPLOYMENTS, deployment, Resources.REPLICA_SETS, set));
    }
    String uid = Metadata.of(deployment).uid();
    for (JsonObject set : ownership.release()) {
      claims.add(() -> Adoption.release(api, uid, Resources.REPLICA_SETS, set));
    }
    return claims;
  }

  /** Has all of these done, and then the deployment looked at again. */
  private void claim(
      JsonObject deployment, Deque<Supplier<ApiResult>> claims, WorkQueue.Look look) {
    Supplier<ApiResult> next = claims.poll();
    if (next == null) {
      again(deployment, look);
      return;
    }
    requests.run(
        next,
        result -> {
          if (result instanceof ApiResult.Done(JsonObject set) && !set.isEmpty()) {
            sets.written(set);
            claim(deployment, claims, look);
          } else {
            // Also if it is moot, of which will be heard: it would be tried again and again.
            look.failed();
          }
        });
  }

  private void again(JsonObject deployment, WorkQueue.Look look) {
    queue.add(ObjectName.of(deployment));
    look.succeeded();
  }

  /** A plan that is being carried out, and what is left of it. */
  private record Doing(
      JsonObject deployment,
      DeploymentPlan plan,
      Deque<DeploymentAction> left,
      WorkQueue.Look look) {}

  private void act(Doing doing) {
    DeploymentAction next = doing.left().poll();
    switch (next) {
      case null -> write(doing);
      case DeploymentAction.Create(JsonObject set) ->
          requests.run(
              () -> api.create(Resources.REPLICA_SETS, set), result -> created(doing, set, result));
      case DeploymentAction.Change change ->
          requests.run(
              () -> api.update(Resources.REPLICA_SETS, change.set()),
              result -> changed(doing, change, result));
      case DeploymentAction.Delete(JsonObject set) ->
          requests.run(
              () ->
                  api.delete(
                      Resources.REPLICA_SETS,
                      ObjectName.of(set),
                      DeleteOptions.NONE.onlyUid(Metadata.of(set).uid())),
              result -> deleted(doing, set, result));
    }
  }

  private void created(Doing doing, JsonObject set, ApiResult result) {
    switch (result) {
      case ApiResult.Done(JsonObject made) -> {
        sets.created(made);
        tell(doing.deployment(), made, 0, set.object("spec").integer("replicas").orElse(0));
        act(doing);
      }
      case ApiResult.Failure why -> {
        if (why.isAlreadyExists()) {
          requests.run(
              () -> api.get(Resources.REPLICA_SETS, ObjectName.of(set)),
              found -> found(doing, set, found));
        } else if (why.isNamespaceGoing()) {
          doing.look().succeeded();
        } else {
          String name = Metadata.of(set).name();
          JsonObject failed =
              DeploymentPlan.creationFailed(doing.deployment(), name, why.message(), time.now());
          write(doing.deployment(), failed, doing.look()::failed, doing.look());
        }
      }
    }
  }

  /** The name for a new set is taken: by that very set, of which nobody told yet, or another. */
  private void found(Doing doing, JsonObject set, ApiResult result) {
    if (!(result instanceof ApiResult.Done(JsonObject there))) {
      doing.look().failed();
      return;
    }
    boolean isIt =
        Metadata.of(there).isControlledBy(Metadata.of(doing.deployment()).uid())
            && TemplateHash.isSame(
                there.object("spec").object("template"), set.object("spec").object("template"));
    if (isIt && sets.isBeingDeleted(there)) {
      // Its name is free once it is gone.
      doing.look().failed();
      return;
    }
    if (isIt) {
      sets.created(there);
      sets.written(there);
      again(doing.deployment(), doing.look());
      return;
    }
    JsonObject collided = DeploymentPlan.collided(doing.deployment());
    write(
        doing.deployment(), collided, () -> again(doing.deployment(), doing.look()), doing.look());
  }

  private void changed(Doing doing, DeploymentAction.Change change, ApiResult result) {
    if (!(result instanceof ApiResult.Done(JsonObject written))) {
      doing.look().failed();
      return;
    }
    sets.written(written);
    tell(doing.deployment(), written, change.from(), change.to());
    act(doing);
  }

  private void deleted(Doing doing, JsonObject set, ApiResult result) {
    if (!result.isDone() && !result.isNotFound() && !result.isConflict()) {
      doing.look().failed();
      return;
    }
    sets.deleted(set);
    act(doing);
  }

  private void tell(JsonObject deployment, JsonObject set, long from, long to) {
    if (from == to) {
      return;
    }
    String note =
        "Scaled %s replica set %s from %d to %d"
            .formatted(from < to ? "up" : "down", Metadata.of(set).name(), from, to);
    events.record(
        new EventRecorder.EventDetails(
            deployment,
            set,
            EventRecorder.Type.NORMAL,
            "ScalingReplicaSet",
            "ScaleFrom" + from + "To" + to,
            note));
  }

  private void write(Doing doing) {
    doing
        .plan()
        .lookAgain()
        .ifPresent(at ->
            queue.addAfter(ObjectName.of(doing.deployment()), Duration.between(time.now(), at)));
    boolean isDone = doing.plan().actions().isEmpty();
    write(
        doing.deployment(),
        doing.plan().deployment(),
        () -> {
          if (isDone) {
            doing.look().succeeded();
          } else {
            again(doing.deployment(), doing.look());
          }
        },
        doing.look());
  }

  /** Writes the deployment's status, if it has changed, and then ends the look. */
  private void write(JsonObject before, JsonObject after, Runnable written, WorkQueue.Look look) {
    if (after.equals(before)) {
      written.run();
      return;
    }
    requests.run(
        () -> api.updateStatus(Resources.DEPLOYMENTS, after),
        result -> {
          switch (result) {
            case ApiResult.Done(JsonObject told) -> {
              deployments.written(Deployments.named(told));
              written.run();
            }
            case ApiResult.Failure why -> {
              if (why.isNotFound()) {
                look.succeeded();
              } else {
                look.failed();
              }
            }
          }
        });
  }
}
