package dev.berth.scheduler.message;

import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonObject;

/**
 * The condition that says why a pod has no node yet. Without times: {@link Conditions#set} puts
 * them in where the condition is written.
 */
public final class PodScheduled {
  public static final String TYPE = "PodScheduled";

  /** No node allows the pod as things are. */
  public static final String UNSCHEDULABLE = "Unschedulable";

  /** Something went wrong that says nothing about nodes, such as a refused binding. */
  public static final String SCHEDULER_ERROR = "SchedulerError";

  /** The pod is not to be scheduled yet. */
  public static final String SCHEDULING_GATED = "SchedulingGated";

  private static final String GATED_MESSAGE =
      "Scheduling is blocked due to non-empty scheduling gates";

  private PodScheduled() {}

  public static JsonObject unschedulable(String message) {
    return Conditions.condition(TYPE, Conditions.FALSE, UNSCHEDULABLE, message);
  }

  public static JsonObject schedulerError(String message) {
    return Conditions.condition(TYPE, Conditions.FALSE, SCHEDULER_ERROR, message);
  }

  public static JsonObject gated() {
    return Conditions.condition(TYPE, Conditions.FALSE, SCHEDULING_GATED, GATED_MESSAGE);
  }
}
