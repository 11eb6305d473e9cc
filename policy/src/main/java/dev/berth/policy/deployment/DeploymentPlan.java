package dev.berth.policy.deployment;

import static dev.berth.model.apps.DeploymentCondition.PROGRESSING;
import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_REVISION;

import dev.berth.model.apps.DeploymentCondition;
import dev.berth.model.apps.DeploymentSpec;
import dev.berth.model.apps.DeploymentView;
import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be done next about a deployment. Each plan is one step; when it is done the deployment
 * is looked at again, until there is nothing to do.
 *
 * @param actions to be done in this order
 * @param withStatus the deployment as it is to be written when they are done: its status, and its
 *     revision
 * @param next when it will have failed for want of progress
 */
public record DeploymentPlan(
    List<DeploymentAction> actions, JsonObject withStatus, Optional<Instant> next)
    implements Decision<DeploymentAction> {

  public DeploymentPlan {
    actions = List.copyOf(actions);
  }

  public static DeploymentPlan decide(DeploymentSnapshot snapshot, Instant now) {
    return new Step(snapshot, now).plan();
  }

  /** Whether the replica set that has the name of one to be created is that very one. */
  public static boolean isSame(DeploymentView deployment, JsonObject there, JsonObject set) {
    return Metadata.of(there).isControlledBy(deployment.metadata().uid())
        && TemplateHash.isSame(
            new ReplicaSetView(there).template(), new ReplicaSetView(set).template());
  }

  /** The deployment with its failure to make a set in its status. */
  public static JsonObject creationFailed(
      DeploymentView deployment, String set, String why, Instant now) {
    if (deployment.spec().progressDeadline().isEmpty()) {
      return deployment.tree();
    }
    String message = "Failed to create new replica set \"%s\": %s".formatted(set, why);
    DeploymentCondition condition =
        DeploymentCondition.of(
            PROGRESSING, ConditionStatus.FALSE, "ReplicaSetCreateError", message);
    return deployment.withConditions(
        DeploymentConditions.set(deployment.conditions(), condition, now));
  }

  /** The deployment after the name for its newest set was found to be taken. */
  public static JsonObject collided(DeploymentView deployment) {
    return deployment.withCollisionCount(deployment.collisionCount().orElse(0) + 1);
  }

  /** The decision in the making. */
  private static final class Step {
    private final DeploymentView deployment;
    private final DeploymentSpec spec;
    private final ReplicaBounds bounds;
    private final Instant now;
    private final List<DeploymentAction> actions = new ArrayList<>();
    private final List<ReplicaSetView> old = new ArrayList<>();
    private Optional<ReplicaSetView> newest;
    private JsonArray conditions;

    /** The revision of the newest set, if there is one. */
    private final long revision;

    Step(DeploymentSnapshot snapshot, Instant now) {
      this.deployment = snapshot.deployment();
      this.spec = deployment.spec();
      this.bounds = ReplicaBounds.of(spec);
      this.now = now;
      this.conditions = deployment.conditions();
      old.addAll(snapshot.sets());
      newest = NewestSet.find(spec, old);
      newest.ifPresent(old::remove);
      revision = NewestSet.revision(old);
    }

    DeploymentPlan plan() {
      if (deployment.metadata().isBeingDeleted()) {
        return planned(counted());
      }
      say();
      boolean isSynced = sync();
      if (spec.paused() || isBeingScaled()) {
        resize(Sizes.scaled(bounds, newest, old, deployment.counts().replicas()));
        if (spec.paused()) {
          cleanUp();
        }
        return planned(counted());
      }
      if (isSynced) {
        roll();
      }
      return planned(counted().rolledOut(deployment, newest, all(), now));
    }

    private List<ReplicaSetView> all() {
      List<ReplicaSetView> all = new ArrayList<>(old);
      newest.ifPresent(all::add);
      return all;
    }

    private DeploymentStatus counted() {
      return DeploymentStatus.counted(deployment, newest, all(), conditions, now);
    }

    private DeploymentPlan planned(DeploymentStatus status) {
      JsonObject after = deployment.tree();
      if (newest.isPresent() && !deployment.metadata().isBeingDeleted()) {
        String is = Long.toString(newest.get().revision());
        after = Metadata.annotate(after, DEPLOYMENT_REVISION, is);
      }
      Optional<Instant> deadline =
          spec.paused() || DeploymentStatus.isComplete(status.counts(), deployment)
              ? Optional.empty()
              : status.deadline(spec);
      return new DeploymentPlan(actions, after.with("status", status.tree(deployment)), deadline);
    }

    private void progressing(ConditionStatus status, String reason, String message) {
      if (spec.progressDeadline().isPresent()) {
        conditions =
            DeploymentConditions.set(
                conditions, DeploymentCondition.of(PROGRESSING, status, reason, message), now);
      }
    }

    private boolean says(String reason) {
      return DeploymentConditions.hasReason(conditions, PROGRESSING, reason);
    }

    /** Says that it is paused or no longer so, so that the pause does not count as idleness. */
    private void say() {
      boolean saysPaused = says(DeploymentStatus.PAUSED);
      if (says(DeploymentStatus.TIMED_OUT) || spec.paused() == saysPaused) {
        return;
      }
      if (spec.paused()) {
        progressing(ConditionStatus.UNKNOWN, DeploymentStatus.PAUSED, "Deployment is paused");
      } else {
        progressing(ConditionStatus.UNKNOWN, "DeploymentResumed", "Deployment is resumed");
      }
    }

    /** Brings the newest set's annotations up to date; true if they were. */
    private boolean sync() {
      if (newest.isEmpty()) {
        return true;
      }
      ReplicaSetView before = newest.get();
      ReplicaSetView after = NewestSet.synced(deployment, before, revision);
      boolean isNew = before.revision() < revision && before.revision() > 0;
      if (isNew || DeploymentCondition.find(conditions, PROGRESSING).isEmpty()) {
        String found = "Found new replica set \"%s\"".formatted(before.name());
        progressing(ConditionStatus.TRUE, "FoundNewReplicaSet", found);
      }
      if (after.tree().equals(before.tree())) {
        return true;
      }
      newest = Optional.of(after);
      actions.add(new DeploymentAction.Change(after.tree(), after.replicas(), after.replicas()));
      return false;
    }

    /** Whether a set was sized for another number of replicas. */
    private boolean isBeingScaled() {
      return !spec.recreate()
          && all().stream()
              .filter(Sizes::isActive)
              .flatMap(set -> set.deploymentReplicas().stream())
              .anyMatch(desired -> desired != spec.replicas());
    }

    private void roll() {
      if (spec.recreate()) {
        recreate();
      } else if (newest.isEmpty()) {
        create(Sizes.ofNewest(bounds, 0, old));
      } else {
        ReplicaSetView set = newest.get();
        resize(Map.of(set, Sizes.ofNewest(bounds, set.replicas(), all())));
        if (actions.isEmpty()) {
          resize(Sizes.ofOld(bounds, set, old));
        }
      }
      if (actions.isEmpty() && DeploymentStatus.isComplete(deployment.counts(), deployment)) {
        cleanUp();
      }
    }

    private void recreate() {
      for (ReplicaSetView set : List.copyOf(old)) {
        if (Sizes.isActive(set)) {
          resize(Map.of(set, 0L));
        }
      }
      if (!actions.isEmpty() || old.stream().anyMatch(Step::hasPods)) {
        return;
      }
      if (newest.isEmpty()) {
        create(spec.replicas());
      } else {
        resize(Map.of(newest.get(), spec.replicas()));
      }
    }

    /** Whether pods of a set may still run. */
    private static boolean hasPods(ReplicaSetView set) {
      return !set.isObserved() || set.statusReplicas() > 0 || set.terminatingReplicas() > 0;
    }

    private void create(long size) {
      JsonObject set = NewestSet.make(deployment, size, revision);
      actions.add(new DeploymentAction.Create(set, size));
      String message = "Created new replica set \"%s\"".formatted(Metadata.of(set).name());
      progressing(ConditionStatus.TRUE, "NewReplicaSetCreated", message);
      newest = Optional.of(new ReplicaSetView(set));
    }

    private void resize(Map<ReplicaSetView, Long> sizes) {
      sizes.forEach((set, size) -> {
        boolean isNewest = newest.filter(set::equals).isPresent();
        ReplicaSetView after = Sizes.resized(set, size, bounds);
        if (after.tree().equals(set.tree())) {
          return;
        }
        if (isNewest) {
          newest = Optional.of(after);
        } else {
          old.set(old.indexOf(set), after);
        }
        actions.removeIf(action ->
            action instanceof DeploymentAction.Change change && change.set().equals(set.tree()));
        actions.add(new DeploymentAction.Change(after.tree(), set.replicas(), size));
      });
    }

    /** Deletes what is too old: sets without pods, beyond the limit, those of least revision. */
    private void cleanUp() {
      List<ReplicaSetView> sets =
          old.stream().filter(set -> !set.metadata().isBeingDeleted()).toList();
      long tooMany = spec.historyLimit().map(limit -> sets.size() - limit).orElse(0L);
      sets.stream()
          .sorted(SetOrder.BY_REVISION)
          .limit(Math.max(0, tooMany))
          .filter(set -> !Sizes.isActive(set) && set.statusReplicas() == 0 && set.isObserved())
          .forEach(set -> actions.add(new DeploymentAction.Delete(set.tree())));
    }
  }
}
