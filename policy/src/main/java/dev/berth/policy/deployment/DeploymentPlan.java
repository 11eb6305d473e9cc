package dev.berth.policy.deployment;

import static dev.berth.model.meta.WellKnownAnnotations.DEPLOYMENT_REVISION;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is to be done next about a deployment. Each plan is one step; when it is done the deployment
 * is looked at again, until there is nothing to do.
 *
 * @param actions to be done in this order
 * @param deployment as it is to be written when they are done: its status, and its revision
 * @param lookAgain when it will have failed for want of progress
 */
public record DeploymentPlan(
    List<DeploymentAction> actions, JsonObject deployment, Optional<Instant> lookAgain) {

  public DeploymentPlan {
    actions = List.copyOf(actions);
  }

  /**
   * Decides.
   *
   * @param owned the sets that the deployment owns and selects
   */
  public static DeploymentPlan decide(
      JsonObject deployment, Collection<JsonObject> owned, Instant now) {
    return new Step(deployment, owned, now).plan();
  }

  /** The deployment with its failure to make a set in its status. */
  public static JsonObject creationFailed(
      JsonObject deployment, String set, String why, Instant now) {
    if (DeploymentSpec.read(deployment).progressDeadline().isEmpty()) {
      return deployment;
    }
    String message = "Failed to create new replica set \"%s\": %s".formatted(set, why);
    return said(deployment, Conditions.FALSE, "ReplicaSetCreateError", message, now);
  }

  /** The deployment after the name for its newest set was found to be taken. */
  public static JsonObject collided(JsonObject deployment) {
    JsonObject status = deployment.object("status");
    long collisions = status.integer("collisionCount").orElse(0);
    return deployment.with("status", status.with("collisionCount", collisions + 1));
  }

  private static JsonObject said(
      JsonObject deployment, String status, String reason, String message, Instant now) {
    JsonObject before = deployment.object("status");
    JsonObject condition =
        Conditions.condition(DeploymentConditions.PROGRESSING, status, reason, message);
    JsonArray conditions = DeploymentConditions.set(before.array("conditions"), condition, now);
    return deployment.with("status", before.with("conditions", conditions));
  }

  /** The decision in the making. */
  private static final class Step {
    private final JsonObject deployment;
    private final DeploymentSpec spec;
    private final Instant now;
    private final List<DeploymentAction> actions = new ArrayList<>();
    private final List<SetView> old = new ArrayList<>();
    private Optional<SetView> newest;
    private JsonArray conditions;

    /** The revision of the newest set, if there is one. */
    private final long revision;

    Step(JsonObject deployment, Collection<JsonObject> owned, Instant now) {
      this.deployment = deployment;
      this.spec = DeploymentSpec.read(deployment);
      this.now = now;
      this.conditions = deployment.object("status").array("conditions");
      owned.forEach(tree -> old.add(new SetView(tree)));
      newest = NewestSet.find(spec, old);
      newest.ifPresent(old::remove);
      revision = NewestSet.revision(old);
    }

    DeploymentPlan plan() {
      if (Metadata.of(deployment).isBeingDeleted()) {
        return planned(counted());
      }
      say();
      boolean isSynced = sync();
      if (spec.paused() || isBeingScaled()) {
        resize(
            Sizes.scaled(
                spec, newest, old, deployment.object("status").integer("replicas").orElse(0)));
        if (spec.paused()) {
          cleanUp();
        }
        return planned(counted());
      }
      if (isSynced) {
        roll();
      }
      JsonObject counted = counted();
      return planned(DeploymentStatus.rolledOut(deployment, spec, newest, all(), counted, now));
    }

    private List<SetView> all() {
      List<SetView> all = new ArrayList<>(old);
      newest.ifPresent(all::add);
      return all;
    }

    private JsonObject counted() {
      return DeploymentStatus.counted(deployment, spec, newest, all(), conditions, now);
    }

    private DeploymentPlan planned(JsonObject status) {
      JsonObject after = deployment;
      if (newest.isPresent() && !Metadata.of(deployment).isBeingDeleted()) {
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
          spec.paused() || DeploymentStatus.isComplete(deployment, spec, status)
              ? Optional.empty()
              : DeploymentStatus.deadline(spec, status.array("conditions"));
      return new DeploymentPlan(actions, after.with("status", status), deadline);
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
      SetView after = NewestSet.synced(deployment, spec, before, revision);
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
      boolean isDone = DeploymentStatus.isComplete(deployment, spec, deployment.object("status"));
      if (actions.isEmpty() && isDone) {
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
      JsonObject set = NewestSet.make(deployment, spec, size, revision);
      actions.add(new DeploymentAction.Create(set));
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
          .filter(set -> !set.isActive() && set.count("replicas") == 0 && set.isObserved())
          .forEach(set -> actions.add(new DeploymentAction.Delete(set.tree())));
    }
  }
}
