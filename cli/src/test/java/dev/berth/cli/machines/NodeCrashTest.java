package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.BerthProcess;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Agents, servers and pods that are killed with -9: nothing is lost, doubled or left behind. {@code
 * ./test --node-crash-rounds 500} for more rounds, {@code -Dberth.node.crash.seed} to repeat one.
 */
class NodeCrashTest {
  private static final int ROUNDS = Integer.getInteger("berth.node.crash.rounds", 8);

  @Test
  @Timeout(7200)
  void whateverIsKilledNothingIsLostDoubledOrLeftBehind(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
    long seed = Long.getLong("berth.node.crash.seed", 1000 * ProcessHandle.current().pid());
    System.out.println("seed of the rounds of crashes: " + seed);
    try (TestLan lan = new TestLan(folder)) {
      TestMachine machine = lan.machine("crash");
      List<String> command =
          BerthProcess.program(
              CrashRounds.class,
              machine.data().resolveSibling("").toString(),
              Integer.toString(ROUNDS),
              Long.toString(seed));
      Process rounds = new ProcessBuilder(machine.enter(command)).redirectErrorStream(true).start();
      List<String> said = new ArrayList<>();
      try (BufferedReader output = rounds.inputReader(UTF_8)) {
        output.lines().forEach(said::add);
      } finally {
        rounds.descendants().forEach(ProcessHandle::destroyForcibly);
        rounds.destroyForcibly();
      }
      assertThat(said)
          .as(
              "-Dberth.node.crash.seed=%d: %s",
              seed, String.join("\n", said.subList(Math.max(0, said.size() - 200), said.size())))
          .last()
          .isEqualTo("done");
    }
  }
}
