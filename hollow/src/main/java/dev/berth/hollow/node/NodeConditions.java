package dev.berth.hollow.node;

import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.Views;
import dev.berth.model.meta.Conditions;
import dev.berth.model.tree.JsonArray;
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
   * @param shown the conditions that the server shows
   * @param reported the conditions beside its readiness that are True
   * @param notReady why the node is not ready; empty if it is
   */
  public static JsonArray of(JsonArray shown, Set<String> reported, String notReady, Instant now) {
    List<Condition> before = Views.list(shown, Condition::read);
    List<Condition> conditions =
        new ArrayList<>(KubeletConditions.of(before, reported, notReady, now));
    // Ready is the last.
    network(before, reported)
        .ifPresent(network ->
            conditions.add(conditions.size() - 1, KubeletConditions.timed(network, before, now)));
    return JsonArray.copyOf(conditions.stream().map(Condition::toTree).toList());
  }

  private static Optional<Condition> network(List<Condition> before, Set<String> reported) {
    if (reported.contains(SimulatedFaults.NETWORK_UNAVAILABLE)) {
      return Optional.of(
          KubeletConditions.untimed(
              SimulatedFaults.NETWORK_UNAVAILABLE,
              ConditionStatus.TRUE,
              NO_ROUTE,
              "hollow node simulates a node without network"));
    }
    return Condition.find(before, SimulatedFaults.NETWORK_UNAVAILABLE)
        .filter(shown -> shown.reason().equals(NO_ROUTE))
        .map(_ ->
            KubeletConditions.untimed(
                SimulatedFaults.NETWORK_UNAVAILABLE,
                ConditionStatus.FALSE,
                "RouteCreated",
                "hollow node has a network again"));
  }

  /** Whether the server shows another status of some condition than the node reports. */
  public static boolean differ(JsonArray shown, JsonArray reported) {
    return reported.objects().stream()
        .anyMatch(c -> !Conditions.status(shown, c.text("type", "")).equals(c.text("status", "")));
  }
}
