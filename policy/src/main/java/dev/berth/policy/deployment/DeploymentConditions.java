package dev.berth.policy.deployment;

import dev.berth.model.apps.DeploymentCondition;
import dev.berth.model.tree.JsonArray;
import java.time.Instant;

/**
 * What is said of a deployment by its conditions. One that was said before, with the same status
 * and reason, stays as it was, since its time is when that was first said.
 */
final class DeploymentConditions {
  private DeploymentConditions() {}

  static JsonArray set(JsonArray conditions, DeploymentCondition condition, Instant now) {
    boolean isSaid =
        DeploymentCondition.find(conditions, condition.type())
            .filter(before -> before.status() == condition.status())
            .filter(before -> before.hasReason(condition.reason()))
            .isPresent();
    return isSaid ? conditions : condition.setIn(conditions, now);
  }

  static boolean hasReason(JsonArray conditions, String type, String reason) {
    return DeploymentCondition.find(conditions, type)
        .filter(condition -> condition.hasReason(reason))
        .isPresent();
  }
}
