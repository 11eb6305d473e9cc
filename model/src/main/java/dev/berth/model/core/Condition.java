package dev.berth.model.core;

import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One condition of a node or a pod.
 *
 * @param lastHeartbeatTime only nodes have it
 */
public record Condition(
    String type,
    ConditionStatus status,
    String reason,
    String message,
    @Nullable Instant lastHeartbeatTime,
    @Nullable Instant lastTransitionTime) {

  public static final String READY = "Ready";
  public static final String MEMORY_PRESSURE = "MemoryPressure";
  public static final String DISK_PRESSURE = "DiskPressure";
  public static final String PID_PRESSURE = "PIDPressure";
  public static final String NETWORK_UNAVAILABLE = "NetworkUnavailable";
  public static final String DISRUPTION_TARGET = "DisruptionTarget";
  public static final String POD_SCHEDULED = "PodScheduled";

  public static Condition read(JsonObject condition) {
    return new Condition(
        condition.text("type", ""),
        ConditionStatus.of(condition.text("status", "")),
        condition.text("reason", ""),
        condition.text("message", ""),
        WireTime.read(condition, "lastHeartbeatTime"),
        WireTime.read(condition, "lastTransitionTime"));
  }

  /** The condition of a type among those of an object's status. */
  public static Optional<Condition> find(List<Condition> conditions, String type) {
    return conditions.stream().filter(c -> c.type.equals(type)).findFirst();
  }

  /** The condition for {@link dev.berth.model.meta.Conditions#set}. */
  public JsonObject toTree() {
    JsonObject.Builder tree =
        new JsonObject.Builder().put("type", type).put("status", status.text());
    tree.putIfPresent("lastHeartbeatTime", WireTime.text(lastHeartbeatTime));
    tree.putIfPresent("lastTransitionTime", WireTime.text(lastTransitionTime));
    if (!reason.isEmpty()) {
      tree.put("reason", reason);
    }
    if (!message.isEmpty()) {
      tree.put("message", message);
    }
    return tree.build();
  }
}
