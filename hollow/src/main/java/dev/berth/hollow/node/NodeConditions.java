package dev.berth.hollow.node;

import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.nodestatus.KubeletConditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The conditions that a hollow node reports: those of a kubelet, and NetworkUnavailable, which is
 * none of them. It is reported only by a node that simulates it, and once more, as False, when that
 * ends.
 */
public final class NodeConditions {
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
    JsonArray usual =
        KubeletConditions.of(before, Set.copyOf(faults.conditions()), notReady, now);
    Optional<JsonObject> network = network(before, faults);
    if (network.isEmpty()) {
      return usual;
    }
    List<JsonObject> conditions = new ArrayList<>(usual.objects());
    // Ready is the last.
    conditions.add(
        conditions.size() - 1, KubeletConditions.timed(network.get(), before, now));
    return JsonArray.copyOf(conditions);
  }

  private static Optional<JsonObject> network(JsonArray before, SimulatedFaults faults) {
    if (faults.reports(SimulatedFaults.NETWORK_UNAVAILABLE)) {
      return Optional.of(
          Conditions.condition(
              SimulatedFaults.NETWORK_UNAVAILABLE,
              Conditions.TRUE,
              NO_ROUTE,
              "hollow node simulates a node without network"));
    }
    boolean hasLostNetwork =
        Conditions.find(before, SimulatedFaults.NETWORK_UNAVAILABLE)
            .filter(c -> c.text("reason", "").equals(NO_ROUTE))
            .isPresent();
    return hasLostNetwork
        ? Optional.of(
            Conditions.condition(
                SimulatedFaults.NETWORK_UNAVAILABLE,
                Conditions.FALSE,
                "RouteCreated",
                "hollow node has a network again"))
        : Optional.empty();
  }

  /** Whether the server shows another status of some condition than the node reports. */
  public static boolean differ(JsonArray shown, JsonArray reported) {
    return reported.objects().stream()
        .anyMatch(c -> !Conditions.status(shown, c.text("type", "")).equals(c.text("status", "")));
  }
}
