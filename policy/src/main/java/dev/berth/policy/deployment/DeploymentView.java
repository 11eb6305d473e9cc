package dev.berth.policy.deployment;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.OptionalLong;

/**
 * A deployment, as decisions see it.
 *
 * @param tree as it was read
 * @param counts as its status has them
 * @param conditions as its status has them
 * @param collisionCount how many names for its newest set turned out to be taken
 * @param selector what its pods have
 */
public record DeploymentView(
    JsonObject tree,
    Metadata metadata,
    DeploymentSpec spec,
    DeploymentCounts counts,
    JsonArray conditions,
    OptionalLong collisionCount,
    JsonObject selector) {
  static final String CONDITIONS = "conditions";
  static final String COLLISION_COUNT = "collisionCount";
  private static final String STATUS = "status";

  public static DeploymentView read(JsonObject deployment) {
    JsonObject status = deployment.object(STATUS);
    return new DeploymentView(
        deployment,
        Metadata.of(deployment),
        DeploymentSpec.read(deployment),
        DeploymentCounts.read(status),
        status.array(CONDITIONS),
        status.integer(COLLISION_COUNT),
        deployment.object("spec").object("selector"));
  }

  /** It with one field of its status changed. */
  JsonObject withStatus(String field, Object value) {
    return tree.with(STATUS, tree.object(STATUS).with(field, value));
  }
}
