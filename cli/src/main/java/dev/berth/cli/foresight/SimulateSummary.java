package dev.berth.cli.foresight;

import dev.berth.sim.record.Recording;
import dev.berth.sim.record.WorkloadHistory;
import dev.berth.sim.report.Judgement;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.Spans;
import java.io.PrintWriter;
import java.time.Duration;

/** What a simulation came to, in a few lines. */
final class SimulateSummary {
  private static final int WIDTH = 24;
  private static final long SECOND = 1000;

  private SimulateSummary() {}

  static void print(Scenario scenario, Recording recording, PrintWriter out) {
    out.println(
        "%s: %s simulated, %d nodes, %d pods, %d evicted, seed %d"
            .formatted(
                scenario.name(),
                Spans.text(recording.duration()),
                recording.nodes().size(),
                recording.pods().size(),
                recording.evictions(),
                scenario.seed()));
    recording.workloads().values().stream()
        .filter(workload -> workload.pods() > 0 || workload.desired().size() > 0)
        .forEach(workload ->
            out.println(
                "  " + padded(workload.id().toString()) + " " + words(workload, recording)));
    for (Judgement judgement : Judgement.of(scenario, recording)) {
      out.println(
          "%s %s (%s)"
              .formatted(
                  judgement.holds() ? "holds:" : "FAILS:",
                  judgement.expectation().words(),
                  judgement.found()));
    }
  }

  private static String words(WorkloadHistory workload, Recording recording) {
    if (workload.completeAt().isEmpty()) {
      return "never complete" + (workload.failure().isEmpty() ? "" : ": " + workload.failure());
    }
    WorkloadHistory.Worst worst = workload.worst(0);
    if (worst.at() < 0 || worst.available() >= worst.desired()) {
      return "always complete";
    }
    long incomplete = workload.incompleteMillis(recording.duration().toMillis());
    return "at worst %d of %d, at %s; incomplete for %s; %d evicted"
        .formatted(
            worst.available(),
            worst.desired(),
            text(worst.at()),
            incomplete < SECOND ? "less than 1s" : text(incomplete),
            workload.evictions());
  }

  private static String text(long millis) {
    return Spans.text(Duration.ofSeconds(millis / SECOND));
  }

  private static String padded(String name) {
    return name + " ".repeat(Math.max(0, WIDTH - name.length()));
  }
}
