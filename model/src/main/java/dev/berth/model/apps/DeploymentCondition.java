package dev.berth.model.apps;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * A condition of a Deployment, which has a second time: when it was last said.
 *
 * @param lastUpdateTime empty if it does not say
 */
public record DeploymentCondition(
    String type,
    ConditionStatus status,
    String reason,
    String message,
    Optional<Instant> lastUpdateTime) {
  public static final String AVAILABLE = "Available";
  public static final String PROGRESSING = "Progressing";
  public static final String REPLICA_FAILURE = ReplicaSetView.REPLICA_FAILURE;

  private static final String UPDATED = "lastUpdateTime";

  /** One that is yet to be said. */
  public static DeploymentCondition of(
      String type, ConditionStatus status, String reason, String message) {
    return new DeploymentCondition(type, status, reason, message, Optional.empty());
  }

  /** The condition of a type among those of a status. */
  public static Optional<DeploymentCondition> find(JsonArray conditions, String type) {
    return Conditions.find(conditions, type).map(DeploymentCondition::read);
  }

  private static DeploymentCondition read(JsonObject condition) {
    return new DeploymentCondition(
        condition.text("type", ""),
        ConditionStatus.of(condition.text("status", "")),
        condition.text("reason", ""),
        condition.text("message", ""),
        Optional.ofNullable(WireTime.read(condition, UPDATED)));
  }

  /** A set's condition as its deployment's: it was last said when it came to be so. */
  public static JsonObject of(Condition ofSet) {
    JsonObject condition = ofSet.toTree();
    Instant since = ofSet.lastTransitionTime();
    return since == null ? condition : condition.with(UPDATED, Times.format(since));
  }

  public boolean hasReason(String other) {
    return reason.equals(other);
  }

  /** The conditions with this one said now. */
  public JsonArray setIn(JsonArray conditions, Instant now) {
    JsonObject said =
        Conditions.condition(type, status.text(), reason, message).with(UPDATED, Times.format(now));
    return Conditions.set(conditions, said, now);
  }
}
