package dev.berth.model.autoscaling;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The status of an autoscaler. Each step returns a new one. */
public record AutoscalerStatus(JsonObject tree) {
  public static final String ABLE_TO_SCALE = "AbleToScale";
  public static final String SCALING_ACTIVE = "ScalingActive";
  public static final String SCALING_LIMITED = "ScalingLimited";

  public AutoscalerStatus is(String type, String reason, String message, Instant now) {
    return set(type, Conditions.TRUE, reason, message, now);
  }

  public AutoscalerStatus isNot(String type, String reason, String message, Instant now) {
    return set(type, Conditions.FALSE, reason, message, now);
  }

  private AutoscalerStatus set(
      String type, String status, String reason, String message, Instant now) {
    JsonObject condition = Conditions.condition(type, status, reason, message);
    JsonArray all = Conditions.set(tree.array("conditions"), condition, now);
    return new AutoscalerStatus(tree.with("conditions", all));
  }

  /** Without a condition that servers with other features set. */
  public AutoscalerStatus without(String type) {
    JsonArray conditions = tree.array("conditions");
    JsonArray kept = Conditions.remove(conditions, type);
    return kept.size() == conditions.size()
        ? this
        : new AutoscalerStatus(tree.with("conditions", kept));
  }

  /** How many replicas it wanted last. */
  public int desiredReplicas() {
    return Math.toIntExact(tree.integer("desiredReplicas").orElse(0));
  }

  /** What was measured of each metric. */
  public List<JsonObject> metrics() {
    return tree.array("currentMetrics").objects();
  }

  /**
   * With new figures; the conditions stay.
   *
   * @param metrics what was measured; empty if nothing was
   * @param rescaled when the target was changed, if it was now
   */
  public AutoscalerStatus counted(
      int current, int desired, List<JsonObject> metrics, Optional<Instant> rescaled) {
    JsonObject.Builder counted = new JsonObject.Builder();
    counted.putIfPresent(
        "lastScaleTime", rescaled.map(Times::format).orElse(tree.text("lastScaleTime")));
    if (current != 0) {
      counted.put("currentReplicas", (long) current);
    }
    counted.put("desiredReplicas", (long) desired);
    if (!metrics.isEmpty()) {
      counted.put("currentMetrics", JsonArray.copyOf(metrics));
    }
    if (tree.has("conditions")) {
      counted.put("conditions", tree.array("conditions"));
    }
    return new AutoscalerStatus(counted.build());
  }
}
