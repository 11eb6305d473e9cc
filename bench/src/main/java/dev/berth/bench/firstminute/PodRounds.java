package dev.berth.bench.firstminute;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.api.BenchPods;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import dev.berth.bench.api.CreateRounds;
import dev.berth.bench.api.H2load;
import dev.berth.bench.cost.ThreadTimes;
import dev.berth.bench.nodes.NodeWatcher;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pods created by h2load over HTTPS, round after round on one server that has just started. */
final class PodRounds {
  private static final int ROUNDS = 4;
  private static final int CONNECTIONS = 30;
  private static final int STREAMS = 4;
  private static final int PATIENCE_SECONDS = 120;
  private static final String PATH = "/api/v1/namespaces/default/pods";
  private static final Pattern ALLOCATED =
      Pattern.compile(
          "^jvm_memory_allocated_bytes_total(?:\\{})? ([0-9.eE+-]+)$", Pattern.MULTILINE);
  private static final String POD =
      """
      {"metadata":{"generateName":"pod-","labels":{"app":"bench"}},
       "spec":{"terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"i",
        "resources":{"requests":{"cpu":"100m","memory":"500Mi"}}}]}}
      """;

  private PodRounds() {}

  /** Everything on, and a watcher that sees them bound and running. */
  static void measure(Launch launch, Rounds figures) throws Exception {
    String nodes = Integer.toString(launch.nodes());
    try (Berth berth = launch.start("--hollow", nodes, "--zones", "a,b,c")) {
      Control control = new Control(berth);
      try (NodeWatcher watcher = new NodeWatcher(control, launch.nodes())) {
        watcher.awaitAllReady(PATIENCE_SECONDS);
      }
      for (int round = 1; round <= ROUNDS; round++) {
        run(berth, control, launch, round, figures);
      }
      figures.add(
          Figure.forComparison("resident after all rounds", "MB"), berth.residentMegabytes());
    }
  }

  private static void run(Berth berth, Control control, Launch launch, int round, Rounds figures)
      throws Exception {
    int pods = launch.pods();
    try (PodWatch watch = PodWatch.of(control, PATH, pods)) {
      double cpuBefore = berth.cpuMicros();
      Map<String, Long> threadsBefore = ThreadTimes.of(berth.pid());
      double allocated = allocated(control);
      long began = System.nanoTime();
      Thread creator =
          Thread.ofPlatform().start(() -> create(new CreateRounds(launch.folder(), berth, pods)));
      PodWatch.Times times = watch.await();
      double cpu = (berth.cpuMicros() - cpuBefore) / pods;
      creator.join();
      String name = "pods, round " + round;
      double bound = pods / ((times.bound() - began) / 1e9);
      figures.add(new Figure(name + ": bound", "/s", barOfBound(round), Better.HIGHER), bound);
      figures.add(
          Figure.forComparison("  until all run", "s " + round), (times.running() - began) / 1e9);
      figures.add(
          round < ROUNDS
              ? Figure.forComparison("  server, each", "us " + round)
              : new Figure("  server, each", "us " + round, 500, Better.LOWER),
          cpu);
      // For whoever waits.
      System.out.printf("  round %d: %.0f/s, %.0f us each%n", round, bound, cpu);
      ThreadTimes.of(berth.pid())
          .forEach((kind, micros) ->
              figures.add(
                  Figure.forComparison("    " + kind, "us " + round),
                  (double) (micros - threadsBefore.getOrDefault(kind, 0L)) / pods));
      figures.add(
          Figure.forComparison("  allocated, each", "KB " + round),
          (allocated(control) - allocated) / 1e3 / pods);
    }
  }

  private static double allocated(Control control) throws IOException, InterruptedException {
    Matcher line = ALLOCATED.matcher(new String(control.get("/metrics"), UTF_8));
    if (!line.find()) {
      throw new IOException("the server does not say how much it allocated");
    }
    return Double.parseDouble(line.group(1));
  }

  private static double barOfBound(int round) {
    return switch (round) {
      case 1 -> 1_600;
      case ROUNDS -> 3_000;
      default -> Double.NaN;
    };
  }

  private static void create(CreateRounds rounds) {
    try {
      H2load.Answers _ = rounds.round(PATH, POD, CONNECTIONS, STREAMS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Nothing else on. */
  static void creates(Launch launch, Rounds figures) throws Exception {
    try (Berth berth = launch.start("--no-scheduler", "--no-controllers", "--no-node")) {
      CreateRounds rounds = new CreateRounds(launch.folder(), berth, launch.pods());
      for (int round = 1; round <= ROUNDS; round++) {
        double cpuBefore = berth.cpuMicros();
        H2load.Answers answers = rounds.round(PATH, BenchPods.created(), CONNECTIONS, STREAMS);
        double bar = round < ROUNDS ? Double.NaN : 8_000;
        figures.add(
            new Figure("creates alone, round " + round, "/s", bar, Better.HIGHER),
            answers.perSecond());
        figures.add(
            Figure.forComparison("  server, each", "us " + round),
            (berth.cpuMicros() - cpuBefore) / launch.pods());
      }
    }
  }
}
