package dev.berth.hollow.node;

import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The conditions that a node reports, in a kubelet's words.
 *
 * <ul>
 *   <li>MemoryPressure, DiskPressure, PIDPressure and Ready, in this order, each with the time of
 *       the heartbeat.
 *   <li>The time of the last transition is kept while the server shows the same status, whoever
 *       wrote it.
 *   <li>NetworkUnavailable is none of a kubelet's conditions. It is reported only by a node that
 *       simulates it, and once more, as False, when that ends.
 * </ul>
 */
public final class NodeConditions {
  static final String READY = "Ready";

  private static final String NO_ROUTE = "HollowNodeWithoutNetwork";

  private NodeConditions() {}

  /**
   * The conditions of a node.
   *
   * @param before the conditions that the server shows
   * @param notReady why the node is not ready; empty if it is
   */
  public static JsonArray of(
      JsonArray before, SimulatedFaults faults, String notReady, Instant now) {
    List<JsonObject> conditions = new ArrayList<>();
    conditions.add(
        faults.reports(SimulatedFaults.MEMORY_PRESSURE)
            ? condition(
                SimulatedFaults.MEMORY_PRESSURE,
                true,
                "KubeletHasInsufficientMemory",
                "kubelet has insufficient memory available")
            : condition(
                SimulatedFaults.MEMORY_PRESSURE,
                false,
                "KubeletHasSufficientMemory",
                "kubelet has sufficient memory available"));
    conditions.add(
        faults.reports(SimulatedFaults.DISK_PRESSURE)
            ? condition(
                SimulatedFaults.DISK_PRESSURE,
                true,
                "KubeletHasDiskPressure",
                "kubelet has disk pressure")
            : condition(
                SimulatedFaults.DISK_PRESSURE,
                false,
                "KubeletHasNoDiskPressure",
                "kubelet has no disk pressure"));
    conditions.add(
        faults.reports(SimulatedFaults.PID_PRESSURE)
            ? condition(
                SimulatedFaults.PID_PRESSURE,
                true,
                "KubeletHasInsufficientPID",
                "kubelet has insufficient SimulatedFaults.PID_PRESSURE available")
            : condition(
                SimulatedFaults.PID_PRESSURE,
                false,
                "KubeletHasSufficientPID",
                "kubelet has sufficient SimulatedFaults.PID_PRESSURE available"));
    if (faults.reports(SimulatedFaults.NETWORK_UNAVAILABLE)) {
      conditions.add(
          condition(
              SimulatedFaults.NETWORK_UNAVAILABLE,
              true,
              NO_ROUTE,
              "hollow node simulates a node without network"));
    } else if (hasLostNetwork(before)) {
      conditions.add(
          condition(
              SimulatedFaults.NETWORK_UNAVAILABLE,
              false,
              "RouteCreated",
              "hollow node has a network again"));
    }
    conditions.add(
        notReady.isEmpty()
            ? condition(READY, true, "KubeletReady", "kubelet is posting ready status")
            : condition(READY, false, "KubeletNotReady", notReady));
    conditions.replaceAll(condition -> timed(condition, before, now));
    return JsonArray.copyOf(conditions);
  }

  private static boolean hasLostNetwork(JsonArray before) {
    return Conditions.find(before, SimulatedFaults.NETWORK_UNAVAILABLE)
        .filter(c -> c.text("reason", "").equals(NO_ROUTE))
        .isPresent();
  }

  /** Whether the server shows another status of some condition than the node reports. */
  public static boolean differ(JsonArray shown, JsonArray reported) {
    return reported.objects().stream()
        .anyMatch(c -> !Conditions.status(shown, c.text("type", "")).equals(c.text("status", "")));
  }

  private static JsonObject condition(String type, boolean is, String reason, String message) {
    return Conditions.condition(type, is ? Conditions.TRUE : Conditions.FALSE, reason, message);
  }

  private static JsonObject timed(JsonObject condition, JsonArray before, Instant now) {
    String time = Times.format(now);
    String since =
        Conditions.find(before, condition.text("type", ""))
            .filter(c -> c.text("status", "").equals(condition.text("status", "")))
            .map(c -> c.text("lastTransitionTime", time))
            .orElse(time);
    return condition.with("lastHeartbeatTime", time).with("lastTransitionTime", since);
  }
}
