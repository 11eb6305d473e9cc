package dev.berth.model.core;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;

/** A condition that a node sets in the status of a pod. */
public record PodCondition(String type, boolean isTrue, String reason, String message) {
  public static final String READY_TO_START = "PodReadyToStartContainers";
  public static final String INITIALIZED = "Initialized";
  public static final String READY = "Ready";
  public static final String CONTAINERS_READY = "ContainersReady";
  public static final String SCHEDULED = "PodScheduled";
  public static final String RESTARTING_ALL = "AllContainersRestarting";
  public static final String DISRUPTION_TARGET = "DisruptionTarget";
  public static final String RESIZE_PENDING = "PodResizePending";
  public static final String RESIZE_IN_PROGRESS = "PodResizeInProgress";

  /** Those that come and go with what the node does. */
  public static final List<String> RESIZE = List.of(RESIZE_PENDING, RESIZE_IN_PROGRESS);

  public static PodCondition isTrue(String type) {
    return new PodCondition(type, true, "", "");
  }

  public static PodCondition isFalse(String type, String reason, String message) {
    return new PodCondition(type, false, reason, message);
  }

  /**
   * As it stands in a status.
   *
   * @param before the one of this type that is there; empty if none is
   * @param generation of the pod that was observed; 0 if it is not counted
   */
  public JsonObject toTree(JsonObject before, long generation, Instant now) {
    String status = isTrue ? Conditions.TRUE : Conditions.FALSE;
    String time = Times.format(now);
    boolean same = before.text("status", "").equals(status);
    JsonObject.Builder condition = new JsonObject.Builder().put("type", type);
    if (generation > 0) {
      condition.put("observedGeneration", generation);
    }
    condition.put("status", status);
    condition.put("lastTransitionTime", same ? before.text("lastTransitionTime", time) : time);
    put(condition, "reason", reason, before);
    put(condition, "message", message, before);
    return condition.build();
  }

  /**
   * A field that is left out stays when the status is merged, so one that is to go is set to null.
   */
  private static void put(
      JsonObject.Builder condition, String field, String word, JsonObject before) {
    if (!word.isEmpty()) {
      condition.put(field, word);
    } else if (before.has(field)) {
      condition.put(field, JsonNull.NULL);
    }
  }
}
