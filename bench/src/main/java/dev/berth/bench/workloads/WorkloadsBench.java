package dev.berth.bench.workloads;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What workloads of a large cluster take, each on a server that has just been started with 5,000
 * hollow nodes: pods that start at once, and all controllers beside.
 *
 * <p>Argument: how often to repeat; 3 if there is none.
 */
public final class WorkloadsBench {
  private static final int NODES = 5_000;

  private WorkloadsBench() {}

  private interface Measured {
    double[] in(WorkloadRun run) throws Exception;
  }

  public static void main(String... arguments) throws Exception {
    int repetitions = arguments.length == 0 ? 3 : Integer.parseInt(arguments[0]);
    measure(
        repetitions,
        run -> new double[] {run.deployment(10_000)},
        figure("Deployment from 0 to 10,000 ready pods", 7));
    measure(
        repetitions,
        run -> new double[] {run.daemonSet(), run.rollingUpdate()},
        figure("DaemonSet until ready on 5,000 nodes", 12),
        figure("its rolling update, 10% unavailable", 40));
    measure(
        repetitions,
        run -> new double[] {run.namespace(20_000)},
        figure("namespace with 20,000 objects deleted", 15));
  }

  private static Figure figure(String name, double bar) {
    return new Figure(name, "s", bar, Better.LOWER);
  }

  private static void measure(int repetitions, Measured measured, Figure... figures)
      throws Exception {
    double[][] seconds = new double[figures.length][repetitions];
    for (int i = 0; i < repetitions; i++) {
      Path folder = Files.createTempDirectory("berth-bench");
      try (WorkloadRun run = new WorkloadRun(NODES, folder)) {
        double[] took = measured.in(run);
        for (int j = 0; j < figures.length; j++) {
          seconds[j][i] = took[j];
        }
      } finally {
        Folders.delete(folder);
      }
    }
    for (int j = 0; j < figures.length; j++) {
      figures[j].print(seconds[j]);
    }
  }
}
