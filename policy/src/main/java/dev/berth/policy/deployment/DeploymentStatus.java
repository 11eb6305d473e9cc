package dev.berth.policy.deployment;

import static dev.berth.model.apps.DeploymentCondition.AVAILABLE;
import static dev.berth.model.apps.DeploymentCondition.PROGRESSING;
import static dev.berth.model.apps.DeploymentCondition.REPLICA_FAILURE;

import dev.berth.model.apps.DeploymentCondition;
import dev.berth.model.apps.DeploymentCounts;
import dev.berth.model.apps.DeploymentSpec;
import dev.berth.model.apps.DeploymentView;
import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.meta.Conditions;
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
      Optional<ReplicaSetView> newest,
      List<ReplicaSetView> all,
      JsonArray conditions,
      Instant now) {
    DeploymentCounts counts = count(deployment.metadata().generation(), newest, all);
    boolean isEnough = counts.available() >= ReplicaBounds.of(deployment.spec()).fewest();
    DeploymentCondition minimum =
        isEnough
            ? DeploymentCondition.of(
                AVAILABLE,
                ConditionStatus.TRUE,
                "MinimumReplicasAvailable",
                "Deployment has minimum availability.")
            : DeploymentCondition.of(
                AVAILABLE,
                ConditionStatus.FALSE,
                "MinimumReplicasUnavailable",
                "Deployment does not have minimum availability.");
    return new DeploymentStatus(counts, DeploymentConditions.set(conditions, minimum, now));
  }

  /** The pods of all sets, by what the sets say of theirs. */
  private static DeploymentCounts count(
      long generation, Optional<ReplicaSetView> newest, List<ReplicaSetView> all) {
    long replicas = 0;
    long wanted = 0;
    long ready = 0;
    long available = 0;
    long terminating = 0;
    for (ReplicaSetView set : all) {
      replicas += set.statusReplicas();
      wanted += set.replicas();
      ready += set.readyReplicas();
      available += set.availableReplicas();
      terminating += set.terminatingReplicas();
    }
    return new DeploymentCounts(
        generation,
        replicas,
        newest.map(ReplicaSetView::statusReplicas).orElse(0L),
        ready,
        available,
        Math.max(0, wanted - available),
        terminating);
  }

  /** Whether all pods are of the new template, and available. */
  static boolean isComplete(DeploymentCounts counts, DeploymentView deployment) {
    long wanted = deployment.spec().replicas();
    return counts.replicas() == wanted
        && counts.updated() == wanted
        && counts.available() == wanted
        && counts.observed() >= deployment.metadata().generation();
  }

  /** Whether there are more pods of the new template, fewer of old ones, or better ones. */
  private boolean hasProgressedSince(DeploymentCounts before) {
    return counts.replicas() - counts.updated() < before.replicas() - before.updated()
        || counts.updated() > before.updated()
        || counts.ready() > before.ready()
        || counts.available() > before.available();
  }

  /** The same with the conditions that say how the update goes. */
  DeploymentStatus rolledOut(
      DeploymentView deployment,
      Optional<ReplicaSetView> newest,
      List<ReplicaSetView> all,
      Instant now) {
    DeploymentSpec spec = deployment.spec();
    JsonArray said = conditions;
    boolean wasComplete =
        counts.replicas() == counts.updated()
            && DeploymentConditions.hasReason(conditions, PROGRESSING, COMPLETE);
    String subject =
        newest
            .map(set -> "ReplicaSet \"%s\"".formatted(set.name()))
            .orElse("Deployment \"%s\"".formatted(deployment.metadata().name()));
    if (spec.progressDeadline().isEmpty()) {
      said = Conditions.remove(conditions, PROGRESSING);
    } else if (wasComplete) {
      // Nothing is being rolled out: pods that come and go are no progress, nor a lack of it.
      said = conditions;
    } else if (isComplete(counts, deployment)) {
      String message = subject + " has successfully progressed.";
      DeploymentCondition done =
          DeploymentCondition.of(PROGRESSING, ConditionStatus.TRUE, COMPLETE, message);
      said = DeploymentConditions.set(conditions, done, now);
    } else if (hasProgressedSince(deployment.counts())) {
      String message = subject + " is progressing.";
      // Said again each time, since its time is what the deadline counts from.
      said =
          DeploymentCondition.of(PROGRESSING, ConditionStatus.TRUE, "ReplicaSetUpdated", message)
              .setIn(conditions, now);
    } else if (deadline(spec).filter(due -> !now.isBefore(due)).isPresent()) {
      String message = subject + " has timed out progressing.";
      DeploymentCondition failed =
          DeploymentCondition.of(PROGRESSING, ConditionStatus.FALSE, TIMED_OUT, message);
      said = DeploymentConditions.set(conditions, failed, now);
    }
    return new DeploymentStatus(counts, withFailures(said, newest, all));
  }

  /** As it is written. */
  JsonObject tree(DeploymentView deployment) {
    return deployment.status(counts, conditions);
  }

  /** When it will have failed, if nothing happens; empty if it does not wait for anything. */
  Optional<Instant> deadline(DeploymentSpec spec) {
    return DeploymentCondition.find(conditions, PROGRESSING)
        .filter(said -> Stream.of(COMPLETE, TIMED_OUT, PAUSED).noneMatch(said::hasReason))
        .flatMap(DeploymentCondition::lastUpdateTime)
        .flatMap(since -> spec.progressDeadline().map(since::plus));
  }

  /** The sets' failures, the newest one's first, are the deployment's. */
  private static JsonArray withFailures(
      JsonArray conditions, Optional<ReplicaSetView> newest, List<ReplicaSetView> all) {
    Optional<Condition> failure =
        Stream.concat(newest.stream(), all.stream())
            .flatMap(set -> set.failure().stream())
            .findFirst();
    if (failure.isEmpty()) {
      return Conditions.remove(conditions, REPLICA_FAILURE);
    }
    Condition why = failure.get();
    return DeploymentConditions.hasReason(conditions, REPLICA_FAILURE, why.reason())
        ? conditions
        : Conditions.remove(conditions, REPLICA_FAILURE).append(DeploymentCondition.of(why));
  }
}
