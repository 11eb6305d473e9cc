package dev.berth.sim.snapshot;

import dev.berth.hollow.HollowAnnotations;
import dev.berth.hollow.fault.SimulatedFaults;
import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.NodeView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;

/** The problems that nodes had when they were seen, as hollow nodes go on having them. */
final class FoundFaults {
  private static final List<String> PRESSURES =
      List.of(
          SimulatedFaults.MEMORY_PRESSURE,
          SimulatedFaults.DISK_PRESSURE,
          SimulatedFaults.PID_PRESSURE);

  private FoundFaults() {}

  static JsonObject kept(JsonObject node) {
    NodeView view = NodeView.read(node);
    Optional<Condition> ready = view.condition(Condition.READY);
    ConditionStatus status = ready.map(Condition::status).orElse(ConditionStatus.UNKNOWN);
    if (status == ConditionStatus.UNKNOWN) {
      return Metadata.annotate(node, HollowAnnotations.SILENT, "true");
    }
    JsonObject kept = node;
    if (status == ConditionStatus.FALSE) {
      String why = ready.map(Condition::message).filter(text -> !text.isEmpty()).orElse("NotReady");
      kept = Metadata.annotate(kept, HollowAnnotations.NOT_READY, why);
    }
    List<String> pressures =
        PRESSURES.stream()
            .filter(type ->
                view.condition(type).filter(c -> c.status() == ConditionStatus.TRUE).isPresent())
            .toList();
    return pressures.isEmpty()
        ? kept
        : Metadata.annotate(kept, HollowAnnotations.CONDITIONS, String.join(",", pressures));
  }
}
