package dev.berth.bench.agent;

import static dev.berth.bench.Figure.Better.LOWER;

import dev.berth.bench.Figure;
import dev.berth.bench.api.Berth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What an agent of its own takes with fifty pods while nothing happens. */
final class IdleAgent {
  private static final int PODS = 50;
  private static final long SETTLE_MILLIS = 30_000;
  private static final long IDLE_MILLIS = 60_000;

  private IdleAgent() {}

  /**
   * Measures it.
   *
   * @param image of the pods
   * @param mostMegabytes how much memory it may have
   * @param options of the agent
   */
  static void measure(Path folder, String image, int mostMegabytes, String... options)
      throws IOException, InterruptedException {
    try (Berth server = Berth.start(folder.resolve("server"), List.of("--no-node"));
        LivePods pods = new LivePods(server, image);
        JoinedAgent agent = JoinedAgent.join(server, folder, "", options)) {
      pods.awaitNode();
      Figure.forComparison("50 pods at once, created to all Running", "s")
          .print(pods.run("resident", PODS) / 1e3);
      Thread.sleep(SETTLE_MILLIS);
      double before = agent.cpuMillis();
      Thread.sleep(IDLE_MILLIS);
      double used = agent.cpuMillis() - before;
      new Figure("an agent with 50 pods: resident memory", "MB", mostMegabytes, LOWER)
          .print(agent.residentMegabytes());
      new Figure("its processor time while nothing happens", "%", 1, LOWER)
          .print(100.0 * used / IDLE_MILLIS);
      pods.deleteAll();
    }
  }
}
