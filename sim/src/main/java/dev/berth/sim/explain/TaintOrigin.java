package dev.berth.sim.explain;

import dev.berth.model.core.Condition;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import java.util.Map;
import java.util.Optional;

/** Who put a taint on a node, and why, as far as the node tells. */
final class TaintOrigin {
  private static final String LIFECYCLE = "the node lifecycle controller";

  /** The conditions from which taints follow. */
  private static final Map<String, String> CONDITIONS =
      Map.of(
          WellKnownTaints.NOT_READY, Condition.READY,
          WellKnownTaints.UNREACHABLE, Condition.READY,
          WellKnownTaints.MEMORY_PRESSURE, Condition.MEMORY_PRESSURE,
          WellKnownTaints.DISK_PRESSURE, Condition.DISK_PRESSURE,
          WellKnownTaints.PID_PRESSURE, Condition.PID_PRESSURE,
          WellKnownTaints.NETWORK_UNAVAILABLE, Condition.NETWORK_UNAVAILABLE);

  private TaintOrigin() {}

  /**
   * In words.
   *
   * @param tree the node with its {@code managedFields}, if they could be read
   */
  static String of(Taint taint, NodeView node, JsonObject tree) {
    String condition = CONDITIONS.get(taint.key());
    if (condition != null) {
      return LIFECYCLE
          + node.condition(condition)
              .map(found ->
                  ": %s is %s since %s%s"
                      .formatted(
                          condition,
                          found.status().text(),
                          found.lastTransitionTime() == null
                              ? "an unknown time"
                              : Times.format(found.lastTransitionTime()),
                          found.reason().isEmpty() ? "" : " (" + found.reason() + ")"))
              .orElse(": it has no condition %s".formatted(condition));
    }
    return switch (taint.key()) {
      case WellKnownTaints.UNSCHEDULABLE -> LIFECYCLE + ": the node is cordoned";
      case WellKnownTaints.UNINITIALIZED ->
          "the node itself, until a cloud controller has described it";
      case WellKnownTaints.SHUTDOWN -> "the cloud controller: the machine is stopped";
      case WellKnownTaints.OUT_OF_SERVICE -> writer(tree) + ": the node is given up";
      default -> writer(tree);
    };
  }

  /** Who last wrote the node's taints. */
  private static String writer(JsonObject tree) {
    Optional<JsonObject> last = Optional.empty();
    for (JsonObject entry : tree.object("metadata").array("managedFields").objects()) {
      boolean hasTaints = entry.object("fieldsV1").object("f:spec").has("f:taints");
      if (hasTaints
          && (last.isEmpty()
              || entry.text("time", "").compareTo(last.get().text("time", "")) > 0)) {
        last = Optional.of(entry);
      }
    }
    return last.map(entry ->
            "%s, who wrote the node's taints at %s"
                .formatted(entry.text("manager", "?"), entry.text("time", "?")))
        .orElse("somebody; the node does not say who");
  }
}
