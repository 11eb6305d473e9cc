package dev.berth.policy.replicaset;

import static dev.berth.model.apps.ReplicaSetView.REPLICA_FAILURE;

import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.replicaset.ReplicaSnapshot.Failed;
import java.time.Instant;
import java.util.Optional;

/**
 * The status of a set of replicas. Its condition ReplicaFailure says why pods could not be created
 * or deleted, as it was when that began to be so.
 */
final class ReplicaStatus {
  private ReplicaStatus() {}

  /**
   * The status as it is to be.
   *
   * @param failure what went wrong last; empty if nothing did
   */
  static JsonObject of(
      ReplicaSetView set, ReplicaCount count, Optional<Failed> failure, Instant now) {
    JsonObject.Builder status = new JsonObject.Builder().put("replicas", count.replicas());
    put(status, "fullyLabeledReplicas", count.fullyLabeled());
    put(status, "readyReplicas", count.ready());
    put(status, "availableReplicas", count.available());
    // The older kind has no field for them.
    if (!set.isReplicationController()) {
      status.put("terminatingReplicas", count.terminating());
    }
    status.put("observedGeneration", set.metadata().generation());
    JsonArray conditions = conditions(set.conditions(), failure, now);
    if (!conditions.isEmpty()) {
      status.put("conditions", conditions);
    }
    return status.build();
  }

  private static JsonArray conditions(JsonArray before, Optional<Failed> failure, Instant now) {
    if (failure.isEmpty()) {
      return Conditions.remove(before, REPLICA_FAILURE);
    }
    if (Conditions.find(before, REPLICA_FAILURE).isPresent()) {
      return before;
    }
    Failed why = failure.get();
    JsonObject condition =
        Conditions.condition(REPLICA_FAILURE, Conditions.TRUE, why.reason(), why.message());
    return Conditions.set(before, condition, now);
  }

  /** What is none is left out, as upstream does. */
  private static void put(JsonObject.Builder status, String field, long count) {
    if (count != 0) {
      status.put(field, count);
    }
  }
}
