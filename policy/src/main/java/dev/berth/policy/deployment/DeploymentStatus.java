package dev.berth.policy.deployment;

import static dev.berth.policy.deployment.DeploymentConditions.PROGRESSING;
import static dev.berth.policy.deployment.DeploymentConditions.REPLICA_FAILURE;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
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
final class DeploymentStatus {
  static final String COMPLETE = "NewReplicaSetAvailable";
  static final String TIMED_OUT = "ProgressDeadlineExceeded";
  static final String PAUSED = "DeploymentPaused";

  private DeploymentStatus() {}

  /** The status by its counts; the conditions are those given, and whether enough is available. */
  static JsonObject counted(
      JsonObject deployment,
      DeploymentSpec spec,
      Optional<SetView> newest,
      List<SetView> all,
      JsonArray conditions,
      Instant now) {
    long available = sum(all, "availableReplicas");
    long wanted = all.stream().mapToLong(SetView::size).sum();
    JsonObject.Builder status =
        new JsonObject.Builder().put("observedGeneration", Metadata.of(deployment).generation());
    put(status, "replicas", sum(all, "replicas"));
    put(status, "updatedReplicas", newest.map(set -> set.count("replicas")).orElse(0L));
    put(status, "readyReplicas", sum(all, "readyReplicas"));
    put(status, "availableReplicas", available);
    put(status, "unavailableReplicas", Math.max(0, wanted - available));
    status.put("terminatingReplicas", sum(all, "terminatingReplicas"));
    status.putIfPresent("collisionCount", deployment.object("status").get("collisionCount"));
    JsonObject minimum =
        available >= spec.fewest()
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
    return status.put("conditions", DeploymentConditions.set(conditions, minimum, now)).build();
  }

  private static long sum(List<SetView> sets, String field) {
    return sets.stream().mapToLong(set -> set.count(field)).sum();
  }

  /** What is none is left out, as upstream does. */
  private static void put(JsonObject.Builder status, String field, long count) {
    if (count != 0) {
      status.put(field, count);
    }
  }

  private static long count(JsonObject status, String field) {
    return status.integer(field).orElse(0);
  }

  /** Whether all pods are of the new template, and available. */
  static boolean isComplete(JsonObject deployment, DeploymentSpec spec, JsonObject status) {
    return Stream.of("replicas", "updatedReplicas", "availableReplicas")
            .allMatch(field -> count(status, field) == spec.replicas())
        && count(status, "observedGeneration") >= Metadata.of(deployment).generation();
  }

  private static boolean hasProgressed(JsonObject before, JsonObject after) {
    long oldBefore = count(before, "replicas") - count(before, "updatedReplicas");
    long oldAfter = count(after, "replicas") - count(after, "updatedReplicas");
    return oldAfter < oldBefore
        || Stream.of("updatedReplicas", "readyReplicas", "availableReplicas")
            .anyMatch(field -> count(after, field) > count(before, field));
  }

  /** The counted status with the conditions that say how the update goes. */
  static JsonObject rolledOut(
      JsonObject deployment,
      DeploymentSpec spec,
      Optional<SetView> newest,
      List<SetView> all,
      JsonObject counted,
      Instant now) {
    JsonArray conditions = counted.array("conditions");
    Optional<JsonObject> said = DeploymentConditions.progressing(conditions);
    boolean wasComplete =
        count(counted, "replicas") == count(counted, "updatedReplicas")
            && DeploymentConditions.hasReason(said, COMPLETE);
    String subject =
        newest
            .map(set -> "ReplicaSet \"%s\"".formatted(set.name()))
            .orElse("Deployment \"%s\"".formatted(Metadata.of(deployment).name()));
    if (spec.progressDeadline().isEmpty()) {
      conditions = Conditions.remove(conditions, PROGRESSING);
    } else if (wasComplete) {
      // Nothing is being rolled out: pods that come and go are no progress, nor a lack of it.
      conditions = counted.array("conditions");
    } else if (isComplete(deployment, spec, counted)) {
      String message = subject + " has successfully progressed.";
      JsonObject done = Conditions.condition(PROGRESSING, Conditions.TRUE, COMPLETE, message);
      conditions = DeploymentConditions.set(conditions, done, now);
    } else if (hasProgressed(deployment.object("status"), counted)) {
      String message = subject + " is progressing.";
      JsonObject goesOn =
          Conditions.condition(PROGRESSING, Conditions.TRUE, "ReplicaSetUpdated", message);
      conditions = DeploymentConditions.again(conditions, goesOn, now);
    } else if (deadline(spec, conditions).filter(due -> !now.isBefore(due)).isPresent()) {
      String message = subject + " has timed out progressing.";
      JsonObject failed = Conditions.condition(PROGRESSING, Conditions.FALSE, TIMED_OUT, message);
      conditions = DeploymentConditions.set(conditions, failed, now);
    }
    return counted.with("conditions", withFailures(conditions, newest, all));
  }

  /** When it will have failed, if nothing happens; empty if it does not wait for anything. */
  static Optional<Instant> deadline(DeploymentSpec spec, JsonArray conditions) {
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
            .flatMap(set ->
                Conditions.find(set.tree().object("status").array("conditions"), REPLICA_FAILURE)
                    .stream())
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
