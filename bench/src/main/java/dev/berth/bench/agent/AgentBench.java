package dev.berth.bench.agent;

import static dev.berth.bench.Figure.Better.LOWER;

import dev.berth.bench.Figure;
import dev.berth.bench.Folders;
import dev.berth.bench.api.Berth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Real pods on this machine: how soon one runs, and a hundred; what the node adds to {@code berth
 * up}; and what an agent of its own takes. Needs root. {@code bench/run agent [starts|pods|alone]}.
 */
public final class AgentBench {
  private static final int STARTS = 7;
  private static final int SINGLE_PODS = 20;
  private static final int MANY = 100;
  private static final int ROUNDS = 3;

  private final Path folder;

  private AgentBench(Path folder) {
    this.folder = folder;
  }

  public static void main(String... arguments) throws Exception {
    Path folder = Files.createTempDirectory("berth-bench");
    try {
      AgentBench bench = new AgentBench(folder);
      List<String> parts = List.of(arguments);
      System.out.println("load: " + Files.readString(Path.of("/proc/loadavg")).strip());
      if (parts.isEmpty() || parts.contains("starts")) {
        bench.starts();
      }
      if (parts.isEmpty() || parts.contains("pods")) {
        bench.pods();
      }
      if (parts.isEmpty() || parts.contains("alone")) {
        IdleAgent.measure(folder, "any", 130);
      }
      System.out.println("load: " + Files.readString(Path.of("/proc/loadavg")).strip());
    } finally {
      Folders.delete(folder);
    }
  }

  /** A start with the node, and one without, in turn; the first of each makes the data. */
  private void starts() throws Exception {
    double[] with = new double[STARTS];
    double[] without = new double[STARTS];
    double[] toNode = new double[STARTS];
    double[] withResident = new double[STARTS];
    double[] withoutResident = new double[STARTS];
    for (int i = -1; i < STARTS; i++) {
      try (Berth berth =
          Berth.start(
              folder.resolve("with"),
              List.of("--node-config", JoinedAgent.configuration(folder, "")))) {
        double nodeMillis;
        try (LivePods pods = new LivePods(berth)) {
          nodeMillis = pods.awaitNode();
        }
        if (i >= 0) {
          with[i] = berth.startMillis();
          toNode[i] = nodeMillis;
          withResident[i] = berth.residentMegabytes();
        }
      }
      try (Berth berth = Berth.start(folder.resolve("without"), List.of("--no-node"))) {
        if (i >= 0) {
          without[i] = berth.startMillis();
          withoutResident[i] = berth.residentMegabytes();
        }
      }
    }
    Figure.forComparison("start to ready without a node", "ms").print(without);
    Figure.forComparison("start to ready with one", "ms").print(with);
    new Figure("what the node adds", "ms", 150, LOWER)
        .print(Figure.median(with) - Figure.median(without));
    Figure.forComparison("start to a node that is ready", "ms").print(toNode);
    Figure.forComparison("resident memory, idle, without a node", "MB").print(withoutResident);
    Figure.forComparison("with one", "MB").print(withResident);
    new Figure("what the node adds", "MB", 40, LOWER)
        .print(Figure.median(withResident) - Figure.median(withoutResident));
  }

  private void pods() throws Exception {
    try (Berth berth =
            Berth.start(
                folder.resolve("pods"),
                List.of("--stop-pods", "--node-config", JoinedAgent.configuration(folder, "")));
        LivePods pods = new LivePods(berth)) {
      pods.awaitNode();
      double[] single = new double[SINGLE_PODS];
      for (int i = 0; i < SINGLE_PODS; i++) {
        single[i] = pods.run("single-" + i, 1);
      }
      new Figure("first pod, created to Running", "ms", Double.NaN, LOWER).print(single[0]);
      new Figure("one pod, created to Running", "ms", 200, LOWER).print(single);
      pods.deleteAll();
      many(berth, pods);
    }
  }

  /** A hundred pods, some times; the first time, most of the server's code is still interpreted. */
  private static void many(Berth berth, LivePods pods) throws Exception {
    double[] seconds = new double[ROUNDS];
    double[] cpu = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      double before = berth.cpuMicros();
      seconds[i] = pods.run("many-" + i, MANY) / 1e3;
      cpu[i] = (berth.cpuMicros() - before) / 1e6;
      pods.deleteAll();
    }
    new Figure("the first 100 pods at once, created to all Running", "s", 5, LOWER)
        .print(seconds[0]);
    new Figure("100 pods at once, created to all Running", "s", 5, LOWER).print(seconds);
    Figure.forComparison("processor time of berth up meanwhile, without its pods", "s").print(cpu);
  }
}
