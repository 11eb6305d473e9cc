package dev.berth.controllers.deployment;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.ObjectKind;
import dev.berth.controllers.reconcile.OwnershipRules;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.apps.DeploymentView;
import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.deployment.DeploymentAction;
import dev.berth.policy.deployment.DeploymentPlan;
import dev.berth.policy.deployment.DeploymentSnapshot;
import dev.berth.policy.reconcile.Note;
import dev.berth.time.Time;
import java.time.Instant;
import java.util.List;

/**
 * Brings deployments from one template to the next; {@link DeploymentPlan} says how. A write names
 * the revision that the decision was made on, so that none is made on an older state.
 *
 * <p>It knows nothing of pods: replica sets count theirs in their status, those that are on their
 * way out as well, which is all that a deployment has to know.
 */
public final class DeploymentController
    implements Reconciler<DeploymentSnapshot, DeploymentAction, DeploymentPlan> {
  /** The service account under which it works. */
  public static final String ACCOUNT = "deployment-controller";

  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(
          new ObjectKind(Resources.DEPLOYMENTS, "Deployment"), ACCOUNT, "deployment", 64, 16);

  private final Api api;
  private final Time time;
  private final ReconcilerFrame<DeploymentSnapshot, DeploymentAction, DeploymentPlan> frame;

  private DeploymentController(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.frame = new ReconcilerFrame<>(parts, SETTINGS, this);
  }

  public static Controller start(ControllerParts parts) {
    return new DeploymentController(parts)
        .frame
        .owns(Resources.REPLICA_SETS, OwnershipRules.BY_SELECTOR)
        .start();
  }

  @Override
  public DeploymentSnapshot snapshot(Reconciliation run, List<JsonObject> sets) {
    OwnedObjects known = frame.owned();
    return new DeploymentSnapshot(
        DeploymentView.read(run.object()),
        sets.stream().filter(set -> !known.isBeingDeleted(set)).map(ReplicaSetView::new).toList());
  }

  @Override
  public DeploymentPlan decide(DeploymentSnapshot snapshot, Instant now) {
    return DeploymentPlan.decide(snapshot, now);
  }

  @Override
  public void apply(Reconciliation run, DeploymentAction action) {
    switch (action) {
      case DeploymentAction.Create create ->
          run.create(create.set(), result -> created(run, create, result));
      case DeploymentAction.Change change ->
          run.update(
              change.set(),
              result -> {
                switch (result) {
                  case ApiResult.Done(JsonObject set) -> tell(run, set, change.from(), change.to());
                  case ApiResult.Failure why -> run.fail("FailedUpdate", why);
                }
              });
      case DeploymentAction.Delete(JsonObject set) ->
          run.delete(
              set,
              result -> {
                if (result.isConflict()) {
                  // Another has its name by now, of which will be heard.
                  frame.owned().deleted(set);
                } else if (result instanceof ApiResult.Failure why && !why.isNotFound()) {
                  run.fail("FailedDelete", why);
                }
              });
    }
  }

  private void created(Reconciliation run, DeploymentAction.Create create, ApiResult result) {
    JsonObject set = create.set();
    switch (result) {
      case ApiResult.Done(JsonObject made) -> tell(run, made, 0, create.size());
      case ApiResult.Failure why -> {
        if (why.isAlreadyExists()) {
          run.request(
              () -> api.get(Resources.REPLICA_SETS, ObjectName.of(set)),
              found -> found(run, set, found));
          return;
        }
        run.fail("ReplicaSetCreateError", why);
        if (run.hasFailed()) {
          DeploymentView deployment = DeploymentView.read(run.object());
          String name = Metadata.of(set).name();
          run.writeStatus(
              DeploymentPlan.creationFailed(deployment, name, why.message(), time.now()));
        }
      }
    }
  }

  /** The name for a new set is taken: by that very set, of which nobody told yet, or another. */
  private void found(Reconciliation run, JsonObject set, ApiResult result) {
    if (!(result instanceof ApiResult.Done(JsonObject there))) {
      run.retry();
      return;
    }
    OwnedObjects known = frame.owned();
    DeploymentView deployment = DeploymentView.read(run.object());
    if (!DeploymentPlan.isSame(deployment, there, set)) {
      run.startOver();
      run.writeStatus(DeploymentPlan.collided(deployment));
    } else if (known.isBeingDeleted(there)) {
      // Its name is free once it is gone.
      run.retry();
    } else {
      known.created(there);
      known.written(there);
      run.startOver();
    }
  }

  private static void tell(Reconciliation run, JsonObject set, long from, long to) {
    if (from == to) {
      return;
    }
    String message =
        "Scaled %s replica set %s from %d to %d"
            .formatted(from < to ? "up" : "down", Metadata.of(set).name(), from, to);
    run.event(set, Note.normal("ScalingReplicaSet", message), "ScaleFrom" + from + "To" + to);
  }
}
