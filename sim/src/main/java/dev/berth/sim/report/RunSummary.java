package dev.berth.sim.report;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.record.PodState;
import dev.berth.sim.record.Recording;
import dev.berth.sim.record.StepSeries;
import dev.berth.sim.record.WorkloadHistory;
import dev.berth.sim.scenario.Scenario;
import java.util.List;

/** What one of several runs came to, so that their spread can be shown. */
public final class RunSummary {
  private RunSummary() {}

  public static JsonObject of(Scenario scenario, Recording recording) {
    StepSeries pending = recording.podStates().getOrDefault(PodState.PENDING, new StepSeries());
    List<Judgement> judgements = Judgement.of(scenario, recording);
    JsonObject.Builder worst = new JsonObject.Builder();
    for (WorkloadHistory workload : recording.workloads().values()) {
      WorkloadHistory.Worst moment = workload.worst(0);
      if (moment.at() >= 0 && moment.desired() > 0) {
        worst.put(workload.id().toString(), 100 * moment.available() / moment.desired());
      }
    }
    return new JsonObject.Builder()
        .put("seed", scenario.seed())
        .put("evictions", (long) recording.evictions())
        .put("pendingAtEnd", pending.last())
        .put("worstAvailablePercent", worst.build())
        .put(
            "failed",
            JsonArray.copyOf(
                judgements.stream()
                    .filter(judgement -> !judgement.holds())
                    .map(judgement -> judgement.expectation().words())
                    .toList()))
        .build();
  }
}
