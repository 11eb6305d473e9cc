package dev.berth.bench.nodes;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What many nodes cost.
 *
 * <p>Arguments: {@code steady} (5,000 hollow nodes, for five minutes), {@code crowd} (50,000, for
 * ten), {@code throng} (100,000, for ten), {@code eviction} (a taint on 1,000 of 5,000 nodes with
 * 30 pods each), {@code outage} (a zone's, on virtual time); none means all.
 */
public final class NodesBench {
  private static final int REPETITIONS = 3;
  private static final double BAR_PERCENT = 35;

  private NodesBench() {}

  public static void main(String... arguments) throws Exception {
    List<String> what =
        arguments.length == 0
            ? List.of("steady", "crowd", "throng", "eviction", "outage")
            : List.of(arguments);
    for (String one : what) {
      Path folder = Files.createTempDirectory("berth-bench");
      try {
        switch (one) {
          case "steady" -> steady(folder);
          case "crowd" -> crowd(50_000, folder);
          case "throng" -> crowd(100_000, folder);
          case "eviction" -> eviction(folder);
          case "outage" -> outage();
          default ->
              throw new IllegalArgumentException("steady, crowd, throng, eviction or outage?");
        }
      } finally {
        Folders.delete(folder);
      }
    }
  }

  private static void steady(Path folder) throws Exception {
    SteadyRun.Outcome outcome = new SteadyRun(5_000, folder).run(300);
    new Figure("5,000 hollow nodes: share of one core", "%", BAR_PERCENT, Better.LOWER)
        .print(100 * outcome.cores());
    print(outcome);
  }

  private static void crowd(int nodes, Path folder) throws Exception {
    SteadyRun.Outcome outcome = new SteadyRun(nodes, folder).run(600);
    Figure.forComparison("%,d hollow nodes: share of one core".formatted(nodes), "%")
        .print(100 * outcome.cores());
    print(outcome);
  }

  private static void print(SteadyRun.Outcome outcome) {
    new Figure("  times that a node went NotReady", "", 0, Better.LOWER).print(outcome.losses());
    new Figure("  99% of lease updates within", "s", 1, Better.LOWER).print(outcome.slowest());
    Figure.forComparison("  lease updates", "per s").print(outcome.renewals());
    Figure.forComparison("  until all were ready", "s").print(outcome.readySeconds());
    Figure.forComparison("  resident memory", "MB").print(outcome.megabytes());
  }

  private static void eviction(Path folder) throws Exception {
    double[] seconds = new double[REPETITIONS];
    double[] megabytesAtOnce = new double[REPETITIONS];
    double[] megabytes = new double[REPETITIONS];
    double[] created = new double[REPETITIONS];
    double[] micros = new double[REPETITIONS];
    for (int i = 0; i < REPETITIONS; i++) {
      EvictionRun.Outcome outcome = new EvictionRun(5_000, 30, 1_000, folder).run();
      seconds[i] = outcome.seconds();
      megabytesAtOnce[i] = outcome.megabytesAtOnce();
      megabytes[i] = outcome.megabytes();
      created[i] = outcome.createdPerSecond();
      micros[i] = outcome.micros();
    }
    new Figure("30,000 pods gone after 1,000 taints", "s", 10, Better.LOWER).print(seconds);
    Figure.forComparison("  time of processors for each", "us").print(micros);
    new Figure("  memory of 5,000 nodes, 150,000 pods", "MB", 1_600, Better.LOWER).print(megabytes);
    Figure.forComparison("  the same when the last began to run", "MB").print(megabytesAtOnce);
    Figure.forComparison("  pods created until Running", "per s").print(created);
  }

  private static void outage() throws Exception {
    outage("every lease renewed by a request", true);
    outage("as berth simulate plays it", false);
  }

  private static void outage(String how, boolean sent) throws Exception {
    double[] seconds = new double[REPETITIONS];
    for (int i = 0; i < REPETITIONS; i++) {
      seconds[i] = new OutageRun().run(sent);
    }
    new Figure("outage of 1,667 of 5,000 nodes: " + how, "s", 40, Better.LOWER).print(seconds);
  }
}
