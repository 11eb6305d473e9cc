package dev.berth.bench.scheduler;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How fast pods get their nodes.
 *
 * <p>Arguments: names of workloads ({@code basic}, {@code taints}, …; none means all), {@code
 * --nodes N}, and {@code --end-to-end} to measure from client to watcher and not the scheduler
 * alone. For {@code scale}, the basic workload with 500 to 50,000 nodes.
 */
public final class SchedulerBench {
  private static final int REPETITIONS = 5;

  /** Runs before those that count: a scheduler runs for months, and is compiled in a minute. */
  private static final int WARM_UP = 4;

  private static final int USUAL_NODES = 5_000;
  private static final List<Integer> SCALE = List.of(500, 5_000, 15_000, 50_000);

  private SchedulerBench() {}

  public static void main(String... arguments) throws Exception {
    List<Workload> workloads = new ArrayList<>();
    int nodes = USUAL_NODES;
    boolean scale = false;
    boolean endToEnd = false;
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--nodes" -> nodes = Integer.parseInt(arguments[++i]);
        case "--end-to-end" -> endToEnd = true;
        case "scale" -> scale = true;
        default -> workloads.add(Workload.valueOf(arguments[i].toUpperCase(Locale.ROOT)));
      }
    }
    if (scale) {
      for (int size : SCALE) {
        measure(Workload.BASIC, size);
      }
      return;
    }
    for (Workload workload : workloads.isEmpty() ? List.of(Workload.values()) : workloads) {
      if (endToEnd) {
        measureEndToEnd(workload, nodes);
      } else {
        measure(workload, nodes);
      }
    }
  }

  private static void measureEndToEnd(Workload workload, int nodes) throws Exception {
    Path folder = Files.createTempDirectory("berth-bench");
    List<EndToEndRun.Outcome> outcomes;
    try {
      outcomes = new EndToEndRun(workload, nodes, folder).run(WARM_UP, REPETITIONS);
    } finally {
      Folders.delete(folder);
    }
    String title = "end to end: %s, %,d nodes".formatted(workload.title, nodes);
    new Figure(title, "pods/s", workload.endToEnd, Better.HIGHER)
        .print(outcomes.stream().mapToDouble(EndToEndRun.Outcome::podsPerSecond).toArray());
    Figure.forComparison("  processor time of the server, each", "us")
        .print(outcomes.stream().mapToDouble(EndToEndRun.Outcome::serverMicros).toArray());
  }

  private static void measure(Workload workload, int nodes) throws Exception {
    double[] rates = new double[REPETITIONS];
    double[] variances = new double[REPETITIONS];
    double[] allocated = new double[REPETITIONS];
    for (int i = -WARM_UP; i < REPETITIONS; i++) {
      AloneRun.Outcome outcome = new AloneRun(workload, nodes).run();
      Quality quality = Quality.of(workload, outcome.nodes(), outcome.pods());
      if (!quality.warnings().isEmpty()) {
        throw new IllegalStateException(
            quality.warnings().size() + " warnings, first: " + quality.warnings().getFirst());
      }
      if (i >= 0) {
        rates[i] = outcome.podsPerSecond();
        allocated[i] = outcome.allocatedKilobytes();
        variances[i] = 1e6 * quality.cpuVariance();
      }
    }
    String title = "%s, %,d nodes".formatted(workload.title, nodes);
    new Figure(title, "pods/s", workload.alone, Better.HIGHER).print(rates);
    Figure.forComparison("  allocated for each, API included", "KB").print(allocated);
    Figure.forComparison("  variance of cpu use", "e-6").print(variances);
  }
}
