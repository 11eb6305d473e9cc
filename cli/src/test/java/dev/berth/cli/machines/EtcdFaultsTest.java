package dev.berth.cli.machines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.BerthProcess;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * What befalls three servers on an etcd of three members, under writers and watchers. {@code ./test
 * --etcd-fault-rounds 100} for more rounds, {@code -Dberth.etcd.fault.seed} to repeat some. Needs
 * root.
 */
class EtcdFaultsTest {
  private static final int ROUNDS = Integer.getInteger("berth.etcd.fault.rounds", 10);

  @Test
  @Timeout(7200)
  void nothingIsLostDoubledOrReordered(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder)
      throws Exception {
    long seed = Long.getLong("berth.etcd.fault.seed", 1000 * ProcessHandle.current().pid());
    System.out.println("seed of the rounds of faults of etcd: " + seed);
    EtcdHosts hosts = new EtcdHosts(folder.resolve("hosts"));
    hosts.writeProgram(BerthProcess.command(List.of()));
    hosts.script(
        List.of("NODES=", "ETCD_DISK=400M", "SERVER_OPTIONS=" + RecordedEvictions.OPTIONS), "up");
    List<String> said = new ArrayList<>();
    try {
      long lan = Long.parseLong(Files.readString(hosts.folder().resolve("hosts/lan")).strip());
      List<String> command =
          new ArrayList<>(List.of("nsenter", "-t", Long.toString(lan), "--net", "--"));
      command.addAll(
          BerthProcess.program(
              EtcdFaultRounds.class,
              hosts.folder().toString(),
              Integer.toString(ROUNDS),
              Long.toString(seed)));
      Process rounds = new ProcessBuilder(command).redirectErrorStream(true).start();
      try (BufferedReader output = rounds.inputReader(UTF_8)) {
        output.lines().forEach(said::add);
      } finally {
        rounds.destroyForcibly();
      }
    } finally {
      hosts.script("down");
    }
    assertThat(said)
        .as("-Dberth.etcd.fault.seed=%d: %s", seed, String.join("\n", said))
        .last()
        .isEqualTo("done");
    said.forEach(System.out::println);
  }
}
