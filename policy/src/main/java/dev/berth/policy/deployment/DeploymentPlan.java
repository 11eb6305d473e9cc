package dev.berth.policy.deployment;

import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_REVISION;

import dev.berth.model.meta.Conditions;
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
        && TemplateHash.isSame(new SetView(there).template(), new SetView(set).template());
  }

  /** The deployment with its failure to make a set in its status. */
  public static JsonObject creationFailed(
      DeploymentView deployment, String set, String why, Instant now) {
    if (deployment.spec().progressDeadline().isEmpty()) {
      return deployment.tree();
    }
    String message = "Failed to create new replica set \"%s\": %s".formatted(set, why);
    JsonObject condition =
        Conditions.condition(
            DeploymentConditions.PROGRESSING, Conditions.FALSE, "ReplicaSetCreateError", message);
    return deployment.withStatus(
        DeploymentView.CONDITIONS,
        DeploymentConditions.set(deployment.conditions(), condition, now));
  }

  /** The deployment after the name for its newest set was found to be taken. */
  public static JsonObject collided(DeploymentView deployment) {
    long collisions = deployment.collisionCount().orElse(0);
    return deployment.withStatus(DeploymentView.COLLISION_COUNT, collisions + 1);
  }

  /** The decision in the making. */
  private static final class Step {
    private final DeploymentView deployment;
    private final DeploymentSpec spec;
    private final Instant now;
    private final List<DeploymentAction> actions = new ArrayList<>();
    private final List<SetView> old = new ArrayList<>();
    private Optional<SetView> newest;
    private JsonArray conditions;

    /** The revision of the newest set, if there is one. */
    private final long revision;

    Step(DeploymentSnapshot snapshot, Instant now) {
      this.deployment = snapshot.deployment();
      this.spec = deployment.spec();
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
        resize(Sizes.scaled(spec, newest, old, deployment.counts().replicas()));
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

    private List<SetView> all() {
      List<SetView> all = new ArrayList<>(old);
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
        after =
            Metadata.update(
                after,
                metadata ->
                    metadata.with(
                        "annotations",
                        metadata.object("annotations").with(DEPLOYMENT_REVISION, is)));
      }
      Optional<Instant> deadline =
          spec.paused() || status.counts().isComplete(deployment)
              ? Optional.empty()
              : status.deadline(spec);
      return new DeploymentPlan(actions, after.with("status", status.tree(deployment)), deadline);
    }

    private void progressing(String status, String reason, String message) {
      if (spec.progressDeadline().isPresent()) {
        conditions =
            DeploymentConditions.set(
                conditions,
                Conditions.condition(DeploymentConditions.PROGRESSING, status, reason, message),
                now);
      }
    }

    /** Says that it is paused or no longer so, so that the pause does not count as idleness. */
    private void say() {
      Optional<JsonObject> said = DeploymentConditions.progressing(conditions);
      boolean saysPaused = DeploymentConditions.hasReason(said, DeploymentStatus.PAUSED);
      if (DeploymentConditions.hasReason(said, DeploymentStatus.TIMED_OUT)
          || spec.paused() == saysPaused) {
        return;
      }
      if (spec.paused()) {
        progressing(Conditions.UNKNOWN, DeploymentStatus.PAUSED, "Deployment is paused");
      } else {
        progressing(Conditions.UNKNOWN, "DeploymentResumed", "Deployment is resumed");
      }
    }

    /** Brings the newest set's annotations up to date; true if they were. */
    private boolean sync() {
      if (newest.isEmpty()) {
        return true;
      }
      SetView before = newest.get();
      SetView after = NewestSet.synced(deployment, before, revision);
      boolean isNew = before.revision() < revision && before.revision() > 0;
      if (isNew || DeploymentConditions.progressing(conditions).isEmpty()) {
        String found = "Found new replica set \"%s\"".formatted(before.name());
        progressing(Conditions.TRUE, "FoundNewReplicaSet", found);
      }
      if (after.tree().equals(before.tree())) {
        return true;
      }
      newest = Optional.of(after);
      actions.add(new DeploymentAction.Change(after.tree(), after.size(), after.size()));
      return false;
    }

    /** Whether a set was sized for another number of replicas. */
    private boolean isBeingScaled() {
      return !spec.recreate()
          && all().stream()
              .filter(SetView::isActive)
              .flatMap(set -> set.desired().stream())
              .anyMatch(desired -> desired != spec.replicas());
    }

    private void roll() {
      if (spec.recreate()) {
        recreate();
      } else if (newest.isEmpty()) {
        create(Sizes.ofNewest(spec, 0, old));
      } else {
        SetView set = newest.get();
        resize(Map.of(set, Sizes.ofNewest(spec, set.size(), all())));
        if (actions.isEmpty()) {
          resize(Sizes.ofOld(spec, set, old));
        }
      }
      if (actions.isEmpty() && deployment.counts().isComplete(deployment)) {
        cleanUp();
      }
    }

    private void recreate() {
      for (SetView set : List.copyOf(old)) {
        if (set.isActive()) {
          resize(Map.of(set, 0L));
        }
      }
      if (!actions.isEmpty() || old.stream().anyMatch(SetView::hasPods)) {
        return;
      }
      if (newest.isEmpty()) {
        create(spec.replicas());
      } else {
        resize(Map.of(newest.get(), spec.replicas()));
      }
    }

    private void create(long size) {
      JsonObject set = NewestSet.make(deployment, size, revision);
      actions.add(new DeploymentAction.Create(set, size));
      String message = "Created new replica set \"%s\"".formatted(Metadata.of(set).name());
      progressing(Conditions.TRUE, "NewReplicaSetCreated", message);
      newest = Optional.of(new SetView(set));
    }

    private void resize(Map<SetView, Long> sizes) {
      sizes.forEach((set, size) -> {
        boolean isNewest = newest.filter(set::equals).isPresent();
        SetView after = set.resized(size, spec);
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
        actions.add(new DeploymentAction.Change(after.tree(), set.size(), size));
      });
    }

    /** Deletes what is too old: sets without pods, beyond the limit, those of least revision. */
    private void cleanUp() {
      List<SetView> sets = old.stream().filter(set -> !set.metadata().isBeingDeleted()).toList();
      long tooMany = spec.historyLimit().map(limit -> sets.size() - limit).orElse(0L);
      sets.stream()
          .sorted(SetView.BY_REVISION)
          .limit(Math.max(0, tooMany))
          .filter(set -> !set.isActive() && set.replicas() == 0 && set.isObserved())
          .forEach(set -> actions.add(new DeploymentAction.Delete(set.tree())));
    }
  }
}
