package dev.berth.agent.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodSandbox;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Agents that are killed with -9 at random moments, in processes of their own. Whatever they were
 * doing: nothing runs twice, no exit code and no line of output is lost, and nothing is left
 * behind. {@code -Dberth.crash.rounds=500} for more rounds, {@code -Dberth.crash.seed} to repeat
 * one.
 */
class RuntimeCrashTest {
  private static final int ROUNDS = Integer.getInteger("berth.crash.rounds", 12);

  /** Steps of a round, and one for the rest that follows. */
  private static final int MOMENTS = 3 * CrashWorkload.PODS + 2;

  private static final int LONGEST_STEP_MICROS = 60_000;

  @Test
  void nothingIsLostDoubledOrLeftBehind() throws Exception {
    long seed = Long.getLong("berth.crash.seed", ProcessHandle.current().pid());
    SplittableRandom random = new SplittableRandom(seed);
    LiveRuntime live = new LiveRuntime();
    try {
      live.leave();
      for (int round = 0; round < ROUNDS; round++) {
        int moment = random.nextInt(MOMENTS);
        int micros = random.nextInt(LONGEST_STEP_MICROS);
        try {
          killAgent(live, round, moment, micros);
          check(live, round);
        } catch (Exception | AssertionError e) {
          throw new AssertionError(
              "round %d of seed %d (-Dberth.crash.seed=%d), killed %d µs after step %d"
                  .formatted(round, seed, seed, micros, moment),
              e);
        }
      }
      live.comeBack();
    } finally {
      live.close();
    }
  }

  private static void killAgent(LiveRuntime live, int round, int moment, int micros)
      throws IOException, InterruptedException {
    Process agent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                CrashWorkload.class.getName(),
                live.root.toString(),
                live.settings.cgroupParent(),
                live.settings.bridge(),
                live.settings.podCidrs().get().getFirst(),
                Integer.toString(round))
            .redirectError(Redirect.to(live.root.resolve("agent.err").toFile()))
            .start();
    BufferedReader steps = agent.inputReader();
    for (int step = 0; step <= moment; step++) {
      String line = steps.readLine();
      assertThat(line)
          .as("output of the agent: %s", Files.readString(live.root.resolve("agent.err")))
          .isNotNull();
      if (line.equals("done")) {
        break;
      }
    }
    LockSupport.parkNanos(1000L * micros);
    agent.destroyForcibly();
    agent.waitFor();
  }

  private static void check(LiveRuntime live, int round) throws Exception {
    live.comeBack();
    try {
      // What the killed agent started is known; what it did not is started now.
      Path runs = Files.createDirectories(live.root.resolve("runs"));
      List<ContainerStatus> finite = new CrashWorkload(live.runtime(), runs, () -> {}).run(round);
      for (ContainerStatus container : finite) {
        assertThat(live.awaitExit(container).code()).isEqualTo(CrashWorkload.EXIT_CODE);
        assertThat(LiveRuntime.log(container).lines()).hasSize(CrashWorkload.LINES);
        assertThat(LiveRuntime.log(container)).endsWith("line " + CrashWorkload.LINES + "\n");
      }
      for (PodSandbox sandbox : live.runtime().list()) {
        assertThat(sandbox.isReady()).isTrue();
        assertThat(sandbox.containers()).hasSize(2);
        assertThat(sandbox.containers()).filteredOn(ContainerStatus::isRunning).hasSize(1);
        for (ContainerStatus container : sandbox.containers()) {
          live.awaitLine(container, "line " + CrashWorkload.LINES);
        }
      }
      try (Stream<Path> notes = Files.list(runs)) {
        for (Path note : notes.toList()) {
          assertThat(Files.readAllLines(note)).as("%s", note).hasSize(1);
        }
      }
      for (int number = 0; number < CrashWorkload.PODS; number++) {
        live.runtime().removeSandbox(CrashWorkload.pod(round, number).id().uid());
      }
      assertThat(live.runtime().list()).isEmpty();
    } finally {
      live.leave();
    }
  }
}
