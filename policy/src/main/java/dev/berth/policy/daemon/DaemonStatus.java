package dev.berth.policy.daemon;

import dev.berth.model.tree.JsonObject;

/** What a DaemonSet's status says. */
public final class DaemonStatus {
  private DaemonStatus() {}

  /**
   * The status after a count; what it does not count, such as conditions, stays.
   *
   * @param generation the one that was counted by
   * @param collisions how many hashes of revisions turned out to be taken
   */
  public static JsonObject of(
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
