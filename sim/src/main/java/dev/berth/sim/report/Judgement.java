package dev.berth.sim.report;

import dev.berth.model.resource.ObjectName;
import dev.berth.sim.record.PodHistory;
import dev.berth.sim.record.PodState;
import dev.berth.sim.record.Recording;
import dev.berth.sim.record.StepSeries;
import dev.berth.sim.record.WorkloadHistory;
import dev.berth.sim.scenario.Bound;
import dev.berth.sim.scenario.Expectation;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.Spans;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Whether an expectation holds, and what was found.
 *
 * @param found in words, such as {@code 40 of 60 at 12m3s}
 */
public record Judgement(Expectation expectation, boolean holds, String found) {

  public static List<Judgement> of(Scenario scenario, Recording recording) {
    return scenario.expectations().stream().map(each -> judge(each, recording)).toList();
  }

  private static Judgement judge(Expectation expectation, Recording recording) {
    return switch (expectation) {
      case Expectation.Available available -> available(available, recording);
      case Expectation.Evictions evictions -> evictions(evictions, recording);
      case Expectation.Pending pending -> pending(pending, recording);
    };
  }

  private static Optional<WorkloadHistory> find(ObjectName name, Recording recording) {
    return recording.find(name.namespace(), name.name());
  }

  private static Judgement available(Expectation.Available expected, Recording recording) {
    Optional<WorkloadHistory> workload = find(expected.workload(), recording);
    if (workload.isEmpty()) {
      return new Judgement(expected, false, "there is no workload " + expected.workload());
    }
    long after = expected.after().map(Duration::toMillis).orElse(0L);
    if (workload.get().completeAt().isEmpty()) {
      return new Judgement(expected, false, "it was never complete");
    }
    WorkloadHistory.Worst worst = workload.get().worst(after);
    boolean holds = worst.at() < 0 || expected.bound().holds(worst.available(), worst.desired());
    String found =
        worst.at() < 0
            ? "nothing was wanted"
            : "at worst %d of %d, at %s"
                .formatted(worst.available(), worst.desired(), time(worst.at()));
    return new Judgement(expected, holds, found);
  }

  private static Judgement evictions(Expectation.Evictions expected, Recording recording) {
    Optional<WorkloadHistory> workload = expected.workload().flatMap(name -> find(name, recording));
    if (expected.workload().isPresent() && workload.isEmpty()) {
      return new Judgement(expected, false, "there is no workload " + expected.workload().get());
    }
    long count =
        recording.pods().stream()
            .filter(PodHistory::wasEvicted)
            .filter(pod -> workload.isEmpty() || pod.workload().equals(workload.get().id()))
            .count();
    return new Judgement(expected, expected.bound().holds(count, 0), count + " evicted");
  }

  private static Judgement pending(Expectation.Pending expected, Recording recording) {
    Optional<WorkloadHistory> workload = expected.workload().flatMap(name -> find(name, recording));
    if (expected.workload().isPresent() && workload.isEmpty()) {
      return new Judgement(expected, false, "there is no workload " + expected.workload().get());
    }
    StepSeries series =
        workload
            .map(WorkloadHistory::pending)
            .orElseGet(
                () -> recording.podStates().getOrDefault(PodState.PENDING, new StepSeries()));
    long whole =
        workload.map(history -> history.desired().last()).orElse((long) recording.pods().size());
    long from = expected.after().map(Duration::toMillis).orElse(0L);
    return worst(expected, expected.bound(), series, from, whole);
  }

  /** The first moment at which a number is not as it should be, else its extreme. */
  private static Judgement worst(
      Expectation expected, Bound bound, StepSeries series, long from, long whole) {
    long extreme = series.at(from);
    long at = from;
    for (int i = 0; i < series.size(); i++) {
      boolean further =
          bound.isLowerBound() ? series.value(i) < extreme : series.value(i) > extreme;
      if (series.time(i) > from && further) {
        extreme = series.value(i);
        at = series.time(i);
      }
    }
    return new Judgement(
        expected, bound.holds(extreme, whole), "at worst %d, at %s".formatted(extreme, time(at)));
  }

  private static String time(long millis) {
    return Spans.text(Duration.ofSeconds(millis / 1000));
  }
}
