package dev.berth.policy.deployment;

import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * The pods of a deployment, as its status counts them.
 *
 * @param observed the generation of the deployment that they are about
 * @param replicas of all sets
 * @param updated of the newest set
 */
record DeploymentCounts(
    long observed,
    long replicas,
    long updated,
    long ready,
    long available,
    long unavailable,
    long terminating) {
  private static final String OBSERVED = "observedGeneration";
  private static final String REPLICAS = "replicas";
  private static final String UPDATED = "updatedReplicas";
  private static final String READY = "readyReplicas";
  private static final String AVAILABLE = "availableReplicas";
  private static final String UNAVAILABLE = "unavailableReplicas";
  private static final String TERMINATING = "terminatingReplicas";

  static DeploymentCounts read(JsonObject status) {
    return new DeploymentCounts(
        status.integer(OBSERVED).orElse(0),
        status.integer(REPLICAS).orElse(0),
        status.integer(UPDATED).orElse(0),
        status.integer(READY).orElse(0),
        status.integer(AVAILABLE).orElse(0),
        status.integer(UNAVAILABLE).orElse(0),
        status.integer(TERMINATING).orElse(0));
  }

  /** By what the sets say of theirs. */
  static DeploymentCounts of(long generation, Optional<SetView> newest, List<SetView> all) {
    long replicas = 0;
    long wanted = 0;
    long ready = 0;
    long available = 0;
    long terminating = 0;
    for (SetView set : all) {
      replicas += set.replicas();
      wanted += set.size();
      ready += set.readyReplicas();
      available += set.availableReplicas();
      terminating += set.terminatingReplicas();
    }
    return new DeploymentCounts(
        generation,
        replicas,
        newest.map(SetView::replicas).orElse(0L),
        ready,
        available,
        Math.max(0, wanted - available),
        terminating);
  }

  /** What is none is left out, as upstream does. */
  void write(JsonObject.Builder status) {
    status.put(OBSERVED, observed);
    put(status, REPLICAS, replicas);
    put(status, UPDATED, updated);
    put(status, READY, ready);
    put(status, AVAILABLE, available);
    put(status, UNAVAILABLE, unavailable);
    status.put(TERMINATING, terminating);
  }

  private static void put(JsonObject.Builder status, String field, long count) {
    if (count != 0) {
      status.put(field, count);
    }
  }

  /** Whether all pods are of the new template, and available. */
  boolean isComplete(DeploymentView deployment) {
    long wanted = deployment.spec().replicas();
    return replicas == wanted
        && updated == wanted
        && available == wanted
        && observed >= deployment.metadata().generation();
  }

  /** Whether there are more pods of the new template, fewer of old ones, or better ones. */
  boolean hasProgressedSince(DeploymentCounts before) {
    return replicas - updated < before.replicas - before.updated
        || updated > before.updated
        || ready > before.ready
        || available > before.available;
  }
}
