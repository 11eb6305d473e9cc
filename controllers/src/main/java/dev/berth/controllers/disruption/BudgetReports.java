package dev.berth.controllers.disruption;

import dev.berth.client.ApiResult;
import dev.berth.client.event.EventRecorder;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What is told about budgets: events about what is odd, when it becomes so and not each time that
 * pods are counted, and warnings about a server that does not take what was counted.
 */
final class BudgetReports {
  private static final String CONTROLLER = "controllermanager";
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofSeconds(10);

  private final Time time;
  private final EventRecorder events;
  private final Consumer<String> warnings;

  /** By uid of the budget: what was last said about it; nothing while all is as it should be. */
  private final Map<String, String> said = new HashMap<>();

  private Instant nextComplaint = Instant.MIN;

  BudgetReports(ControllerParts parts, Loop loop) {
    this.time = parts.time();
    this.events = EventRecorder.counting(parts.api(), loop, parts.time(), CONTROLLER);
    this.warnings = parts.warnings();
  }

  void fine(JsonObject budget) {
    said.remove(Metadata.of(budget).uid());
  }

  void noPods(JsonObject budget) {
    say(budget, EventRecorder.Type.NORMAL, "NoPods", "No matching pods found");
  }

  void notCounted(JsonObject budget, String why) {
    say(
        budget,
        EventRecorder.Type.WARNING,
        "CalculateExpectedPodCountFailed",
        "Failed to calculate the number of expected pods: " + why);
  }

  void unmanaged(JsonObject budget, PodDisruptionBudgetView view) {
    say(
        budget,
        EventRecorder.Type.WARNING,
        "UnmanagedPods",
        ("Pods selected by this PodDisruptionBudget (selector: %s) were found to be unmanaged. As a"
                + " result, the status of the PDB cannot be calculated correctly, which may result"
                + " in undefined behavior. To account for these pods please set"
                + " \".spec.minAvailable\" field of the PDB to an integer value.")
            .formatted(view.selector()));
  }

  private void say(JsonObject budget, EventRecorder.Type type, String reason, String note) {
    if (!note.equals(said.put(Metadata.of(budget).uid(), note))) {
      events.record(budget, type, reason, "Counting", note);
    }
  }

  void notDeleted(JsonObject pod, ObjectName budget) {
    events.record(
        pod,
        EventRecorder.Type.WARNING,
        "NotDeleted",
        "Evicting",
        "Pod was expected by PDB " + budget + " to be deleted but it wasn't");
  }

  void notWritten(ObjectName budget, ApiResult.Failure why) {
    Instant now = time.monotonicNow();
    if (!why.isConflict() && !now.isBefore(nextComplaint)) {
      nextComplaint = now.plus(BETWEEN_COMPLAINTS);
      warnings.accept(
          "cannot write the status of disruption budget %s, and tries again: %s"
              .formatted(budget, why.message()));
    }
  }
}
