package dev.berth.policy.nodestatus;

import dev.berth.model.core.Condition;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The conditions that a node reports, in a kubelet's words.
 *
 * <ul>
 *   <li>MemoryPressure, DiskPressure, PIDPressure and Ready, in this order, each with the time of
 *       the heartbeat.
 *   <li>The time of the last transition is kept while the server shows the same status, whoever
 *       wrote it.
 *   <li>Each transition has an event; a condition that was not there before has one as well, but
 *       for Ready.
 * </ul>
 */
public final class KubeletConditions {
  private static final List<Words> PRESSURES =
      List.of(
          new Words(
              Condition.MEMORY_PRESSURE,
              "HasInsufficientMemory",
              "kubelet has insufficient memory available",
              "HasSufficientMemory",
              "kubelet has sufficient memory available"),
          new Words(
              Condition.DISK_PRESSURE,
              "HasDiskPressure",
              "kubelet has disk pressure",
              "HasNoDiskPressure",
              "kubelet has no disk pressure"),
          new Words(
              Condition.PID_PRESSURE,
              "HasInsufficientPID",
              "kubelet has insufficient PID available",
              "HasSufficientPID",
              "kubelet has sufficient PID available"));

  private KubeletConditions() {}

  /** Reasons follow "Kubelet" in conditions and "Node" in events. */
  private record Words(
      String type, String reason, String message, String otherReason, String otherMessage) {
    JsonObject condition(boolean is) {
      return is
          ? Conditions.condition(type, Conditions.TRUE, "Kubelet" + reason, message)
          : Conditions.condition(type, Conditions.FALSE, "Kubelet" + otherReason, otherMessage);
    }
  }

  /**
   * The conditions of a node.
   *
   * @param before the conditions that the server shows
   * @param pressures the types of those that are True
   * @param notReady why the node is not ready; empty if it is
   */
  public static JsonArray of(
      JsonArray before, Set<String> pressures, String notReady, Instant now) {
    List<JsonObject> conditions = new ArrayList<>();
    for (Words words : PRESSURES) {
      conditions.add(timed(words.condition(pressures.contains(words.type())), before, now));
    }
    conditions.add(
        timed(
            notReady.isEmpty()
                ? Conditions.condition(
                    Condition.READY,
                    Conditions.TRUE,
                    "KubeletReady",
                    "kubelet is posting ready status")
                : Conditions.condition(
                    Condition.READY, Conditions.FALSE, "KubeletNotReady", notReady),
            before,
            now));
    return JsonArray.copyOf(conditions);
  }

  /** A condition with the times that it has beside what the server shows. */
  public static JsonObject timed(JsonObject condition, JsonArray before, Instant now) {
    String time = Times.format(now);
    String since =
        Conditions.find(before, condition.text("type", ""))
            .filter(c -> c.text("status", "").equals(condition.text("status", "")))
            .map(c -> c.text("lastTransitionTime", time))
            .orElse(time);
    return condition.with("lastHeartbeatTime", time).with("lastTransitionTime", since);
  }

  /** The reasons of the events about what is different from before. */
  public static List<String> events(JsonArray before, JsonArray after) {
    List<String> events = new ArrayList<>();
    for (Words words : PRESSURES) {
      String status = Conditions.status(after, words.type());
      if (!status.equals(Conditions.status(before, words.type()))) {
        events.add("Node" + (status.equals(Conditions.TRUE) ? words.reason() : words.otherReason()));
      }
    }
    String ready = Conditions.status(after, Condition.READY);
    if (Conditions.find(before, Condition.READY).isPresent()
        && !ready.equals(Conditions.status(before, Condition.READY))) {
      events.add(ready.equals(Conditions.TRUE) ? "NodeReady" : "NodeNotReady");
    }
    return events;
  }

  /**
   * Whether the server shows something else of a condition than the node reports, but for the time
   * of the heartbeat.
   */
  public static boolean differ(JsonArray shown, JsonArray reported) {
    return reported.objects().stream()
        .anyMatch(condition ->
            !Conditions.find(shown, condition.text("type", ""))
                .map(found -> found.without("lastHeartbeatTime"))
                .equals(Optional.of(condition.without("lastHeartbeatTime"))));
  }
}
