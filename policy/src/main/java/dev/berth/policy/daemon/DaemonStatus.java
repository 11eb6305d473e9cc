package dev.berth.policy.daemon;

import dev.berth.model.core.DaemonSetView;
import dev.berth.model.tree.JsonObject;

/** What a DaemonSet's status says. */
final class DaemonStatus {
  private DaemonStatus() {}

  /**
   * A DaemonSet with its status after a count; what that does not count, such as conditions, stays.
   *
   * @param collisions how many hashes of revisions turned out to be taken
   */
  static JsonObject of(DaemonSetView set, DaemonCounts counts, long collisions) {
    return set.tree()
        .update(
            "status", before -> status(before, counts, set.metadata().generation(), collisions));
  }

  private static JsonObject status(
      JsonObject before, DaemonCounts counts, long generation, long collisions) {
    JsonObject status =
        before
            .with("currentNumberScheduled", (long) counts.current())
            .with("numberMisscheduled", (long) counts.misscheduled())
            .with("desiredNumberScheduled", (long) counts.desired())
            .with("numberReady", (long) counts.ready())
            .with("observedGeneration", generation);
    status = optional(status, "updatedNumberScheduled", counts.updated());
    status = optional(status, "numberAvailable", counts.available());
    status = optional(status, "numberUnavailable", counts.desired() - counts.available());
    return optional(status, "collisionCount", collisions);
  }

  /** Kubernetes leaves these out when they are zero. */
  private static JsonObject optional(JsonObject status, String field, long value) {
    return value == 0 ? status.without(field) : status.with(field, value);
  }
}
