package dev.berth.policy.deployment;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * Conditions of a deployment, which have a second time: when they were last said. A condition that
 * was said before, with the same status and reason, stays as it was; {@linkplain #again unless} its
 * time is what matters.
 */
final class DeploymentConditions {
  static final String AVAILABLE = "Available";
  static final String PROGRESSING = "Progressing";
  static final String REPLICA_FAILURE = "ReplicaFailure";

  private DeploymentConditions() {}

  static JsonArray set(JsonArray conditions, JsonObject condition, Instant now) {
    Optional<JsonObject> before = Conditions.find(conditions, condition.text("type", ""));
    boolean isSaid =
        before
            .filter(b -> b.text("status", "").equals(condition.text("status", "")))
            .filter(b -> b.text("reason", "").equals(condition.text("reason", "")))
            .isPresent();
    return isSaid ? conditions : again(conditions, condition, now);
  }

  /** Says it now, whether it was said before or not. */
  static JsonArray again(JsonArray conditions, JsonObject condition, Instant now) {
    return Conditions.set(conditions, condition.with("lastUpdateTime", Times.format(now)), now);
  }

  static Optional<JsonObject> progressing(JsonArray conditions) {
    return Conditions.find(conditions, PROGRESSING);
  }

  static boolean hasReason(Optional<JsonObject> condition, String reason) {
    return condition.filter(c -> c.text("reason", "").equals(reason)).isPresent();
  }
}
