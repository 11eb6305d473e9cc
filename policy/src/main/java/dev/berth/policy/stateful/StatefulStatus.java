package dev.berth.policy.stateful;

import dev.berth.model.apps.StatefulSetSpec;
import dev.berth.model.apps.StatefulSetView;
import dev.berth.model.tree.JsonObject;

/** What a StatefulSet's status says. */
final class StatefulStatus {
  private StatefulStatus() {}

  /**
   * The set with its status after a count. When all pods are of the latest revision and ready, that
   * is the current one from then on.
   *
   * @param collisions how many hashes of revisions turned out to be taken
   */
  static JsonObject written(
      StatefulSetView set, StatefulCounts counts, Revisions revisions, long collisions) {
    StatefulSetSpec spec = set.spec();
    boolean complete =
        spec.rolling()
            && counts.replicas() == spec.replicas()
            && counts.updated() == spec.replicas()
            && counts.ready() == spec.replicas();
    return set.tree()
        .update(
            "status",
            before -> {
              JsonObject status =
                  before
                      .with("observedGeneration", set.metadata().generation())
                      .with("replicas", counts.replicas())
                      .with("availableReplicas", counts.available())
                      .with("currentRevision", complete ? revisions.update() : revisions.current())
                      .with("updateRevision", revisions.update())
                      .with("collisionCount", collisions);
              status = optional(status, "readyReplicas", counts.ready());
              status = optional(status, "updatedReplicas", counts.updated());
              return optional(
                  status, "currentReplicas", complete ? counts.updated() : counts.current());
            });
  }

  /** Names of the revision that the pods had, and of the one that they get. */
  record Revisions(String current, String update) {}

  /** Kubernetes leaves these out when they are zero. */
  private static JsonObject optional(JsonObject status, String field, long value) {
    return value == 0 ? status.without(field) : status.with(field, value);
  }
}
