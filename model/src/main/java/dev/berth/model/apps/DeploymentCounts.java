package dev.berth.model.apps;

import dev.berth.model.tree.JsonObject;

/**
 * The pods of a Deployment, as its status counts them.
 *
 * @param observed the generation of the deployment that they are about
 * @param replicas of all sets
 * @param updated of the newest set
 */
public record DeploymentCounts(
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

  /** The counts as a status has them. What is none is left out, as upstream does. */
  public JsonObject toTree() {
    JsonObject.Builder status = new JsonObject.Builder().put(OBSERVED, observed);
    put(status, REPLICAS, replicas);
    put(status, UPDATED, updated);
    put(status, READY, ready);
    put(status, AVAILABLE, available);
    put(status, UNAVAILABLE, unavailable);
    return status.put(TERMINATING, terminating).build();
  }

  private static void put(JsonObject.Builder status, String field, long count) {
    if (count != 0) {
      status.put(field, count);
    }
  }
}
