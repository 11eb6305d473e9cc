package dev.berth.model.apps;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.OptionalLong;

/**
 * A Deployment as its controller sees it.
 *
 * @param counts as its status has them
 * @param conditions as its status has them; {@link DeploymentCondition} reads them
 * @param collisionCount how many names for its newest set turned out to be taken
 */
public record DeploymentView(
    JsonObject tree,
    Metadata metadata,
    DeploymentSpec spec,
    DeploymentCounts counts,
    JsonArray conditions,
    OptionalLong collisionCount) {
  private static final String STATUS = "status";
  private static final String CONDITIONS = "conditions";
  private static final String COLLISION_COUNT = "collisionCount";

  public static DeploymentView read(JsonObject deployment) {
    JsonObject status = deployment.object(STATUS);
    return new DeploymentView(
        deployment,
        Metadata.of(deployment),
        DeploymentSpec.read(deployment.object("spec")),
        DeploymentCounts.read(status),
        status.array(CONDITIONS),
        status.integer(COLLISION_COUNT));
  }

  /** The status that it has with other counts and conditions. */
  public JsonObject status(DeploymentCounts counts, JsonArray conditions) {
    JsonObject status = counts.toTree();
    if (collisionCount.isPresent()) {
      status = status.with(COLLISION_COUNT, collisionCount.getAsLong());
    }
    return status.with(CONDITIONS, conditions);
  }

  /** It with other conditions. */
  public JsonObject withConditions(JsonArray conditions) {
    return tree.with(STATUS, tree.object(STATUS).with(CONDITIONS, conditions));
  }

  /** It with another count of collisions. */
  public JsonObject withCollisionCount(long count) {
    return tree.with(STATUS, tree.object(STATUS).with(COLLISION_COUNT, count));
  }
}
