package dev.berth.policy.deployment;

import static dev.berth.policy.deployment.DeploymentConditions.PROGRESSING;
import static dev.berth.policy.deployment.DeploymentConditions.REPLICA_FAILURE;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The status of a deployment, and whether it progresses.
 *
 * <p>Progress is: more pods of the new template, fewer of old ones, more that are ready or
 * available. Each is written down with its time; when none was for the deadline's length, the
 * deployment has failed. It goes on nevertheless, and progress ends the failure.
 */
record DeploymentStatus(DeploymentCounts counts, JsonArray conditions) {
  static final String COMPLETE = "NewReplicaSetAvailable";
  static final String TIMED_OUT = "ProgressDeadlineExceeded";
  static final String PAUSED = "DeploymentPaused";

  /** The status by its counts; the conditions are those given, and whether enough is available. */
  static DeploymentStatus counted(
      DeploymentView deployment,
      Optional<SetView> newest,
      List<SetView> all,
      JsonArray conditions,
      Instant now) {
    DeploymentCounts counts = DeploymentCounts.of(deployment.metadata().generation(), newest, all);
    JsonObject minimum =
        counts.available() >= deployment.spec().fewest()
            ? Conditions.condition(
                DeploymentConditions.AVAILABLE,
                Conditions.TRUE,
                "MinimumReplicasAvailable",
                "Deployment has minimum availability.")
            : Conditions.condition(
                DeploymentConditions.AVAILABLE,
                Conditions.FALSE,
                "MinimumReplicasUnavailable",
                "Deployment does not have minimum availability.");
    return new DeploymentStatus(counts, DeploymentConditions.set(conditions, minimum, now));
  }

  /** The same with the conditions that say how the update goes. */
  DeploymentStatus rolledOut(
      DeploymentView deployment, Optional<SetView> newest, List<SetView> all, Instant now) {
    DeploymentSpec spec = deployment.spec();
    JsonArray said = conditions;
    Optional<JsonObject> progress = DeploymentConditions.progressing(conditions);
    boolean wasComplete =
        counts.replicas() == counts.updated() && DeploymentConditions.hasReason(progress, COMPLETE);
    String subject =
        newest
            .map(set -> "ReplicaSet \"%s\"".formatted(set.name()))
            .orElse("Deployment \"%s\"".formatted(deployment.metadata().name()));
    if (spec.progressDeadline().isEmpty()) {
      said = Conditions.remove(conditions, PROGRESSING);
    } else if (wasComplete) {
      // Nothing is being rolled out: pods that come and go are no progress, nor a lack of it.
      said = conditions;
    } else if (counts.isComplete(deployment)) {
      String message = subject + " has successfully progressed.";
      JsonObject done = Conditions.condition(PROGRESSING, Conditions.TRUE, COMPLETE, message);
      said = DeploymentConditions.set(conditions, done, now);
    } else if (counts.hasProgressedSince(deployment.counts())) {
      String message = subject + " is progressing.";
      JsonObject goesOn =
          Conditions.condition(PROGRESSING, Conditions.TRUE, "ReplicaSetUpdated", message);
      said = DeploymentConditions.again(conditions, goesOn, now);
    } else if (deadline(spec).filter(due -> !now.isBefore(due)).isPresent()) {
      String message = subject + " has timed out progressing.";
      JsonObject failed = Conditions.condition(PROGRESSING, Conditions.FALSE, TIMED_OUT, message);
      said = DeploymentConditions.set(conditions, failed, now);
    }
    return new DeploymentStatus(counts, withFailures(said, newest, all));
  }

  /** As it is written. */
  JsonObject tree(DeploymentView deployment) {
    JsonObject.Builder status = new JsonObject.Builder();
    counts.write(status);
    deployment
        .collisionCount()
        .ifPresent(count -> status.put(DeploymentView.COLLISION_COUNT, count));
    return status.put(DeploymentView.CONDITIONS, conditions).build();
  }

  /** When it will have failed, if nothing happens; empty if it does not wait for anything. */
  Optional<Instant> deadline(DeploymentSpec spec) {
    Optional<JsonObject> said = DeploymentConditions.progressing(conditions);
    if (Stream.of(COMPLETE, TIMED_OUT, PAUSED)
        .anyMatch(reason -> DeploymentConditions.hasReason(said, reason))) {
      return Optional.empty();
    }
    return said.map(c -> c.text("lastUpdateTime"))
        .map(Times::parse)
        .flatMap(since -> spec.progressDeadline().map(since::plus));
  }

  /** The sets' failures, the newest one's first, are the deployment's. */
  private static JsonArray withFailures(
      JsonArray conditions, Optional<SetView> newest, List<SetView> all) {
    Optional<JsonObject> failure =
        Stream.concat(newest.stream(), all.stream())
            .flatMap(set -> set.failure().stream())
            .findFirst();
    if (failure.isEmpty()) {
      return Conditions.remove(conditions, REPLICA_FAILURE);
    }
    JsonObject why = failure.get();
    String since = why.text("lastTransitionTime", "");
    return DeploymentConditions.hasReason(
            Conditions.find(conditions, REPLICA_FAILURE), why.text("reason", ""))
        ? conditions
        : Conditions.remove(conditions, REPLICA_FAILURE).append(why.with("lastUpdateTime", since));
  }
}
