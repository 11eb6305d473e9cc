package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.arguments.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters for tests of others, by real processes: started, waited for, used and stopped. */
class EphemeralClusterTest {
  @TempDir private Path folder = Path.of("");

  private record Ended(int status, String out, String err) {}

  /** Runs a command to its end, with a data directory of this test's own. */
  private Ended berth(String... words) throws Exception {
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder = new ProcessBuilder(BerthProcess.command(List.of(words)));
    builder.environment().put("BERTH_DATA", usual().toString());
    Process process =
        builder
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .directory(folder.toFile())
            .start();
    return new Ended(process.waitFor(), Files.readString(out), Files.readString(err));
  }

  private Path usual() {
    return folder.resolve("data");
  }

  private Path ephemeral() {
    return folder.resolve("data-ephemeral");
  }

  private Ended up(String... further) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("up", "--port", "0", "--bind-address", "127.0.0.1", "--wait"));
    words.addAll(List.of(further));
    return berth(words.toArray(new String[0]));
  }

  private String kubectl(Path kubeconfig, String... words) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("kubectl", "--kubeconfig", kubeconfig.toString()));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HOME", folder.toString());
    return new String(builder.start().getInputStream().readAllBytes(), UTF_8).strip();
  }

  private static Optional<ProcessHandle> server(Path directory) throws IOException {
    Path file = directory.resolve("berth.pid");
    return Files.exists(file)
        ? ProcessHandle.of(Long.parseLong(Files.readAllLines(file).getFirst()))
        : Optional.empty();
  }

  /** Whatever a test that failed left running. */
  @AfterEach
  void stopAll() throws IOException {
    try (Stream<Path> directories = Files.list(folder)) {
      for (Path directory : directories.filter(Files::isDirectory).toList()) {
        server(directory)
            .filter(process -> process.pid() != ProcessHandle.current().pid())
            .ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Test
  void aCiJobGetsAClusterInTwoLines() throws Exception {
    Path kubeconfig = folder.resolve("k.yaml");
    Ended up = up("--ephemeral", "--kubeconfig-out", "k.yaml");
    assertThat(up.err()).as("the machine may give reason to warn").doesNotContain("berth: ");
    assertThat(up.status()).isEqualTo(ExitCode.OK);
    assertThat(up.out()).contains("Next: kubectl --kubeconfig " + kubeconfig + " get nodes");
    assertThat(kubectl(kubeconfig, "get", "--raw", "/readyz")).isEqualTo("ok");
    assertThat(kubectl(kubeconfig, "create", "configmap", "x")).isEqualTo("configmap/x created");

    ProcessHandle server = server(ephemeral()).orElseThrow();
    assertThat(session(server)).as("it has a session of its own").isEqualTo(server.pid());
    try (Stream<Path> files = Files.list(ephemeral())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .as("neither data nor keys of the cluster are on the disk")
          .containsExactlyInAnyOrder("berth.pid", "berth.log", "node");
    }

    assertThat(berth("down")).isEqualTo(new Ended(0, stopped(ephemeral()), ""));
    assertThat(server.isAlive()).isFalse();
    assertThat(ephemeral()).doesNotExist();
  }

  private static String stopped(Path directory) {
    return "Stopped the server in " + directory + ".\n";
  }

  private static long session(ProcessHandle process) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
    return Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3]);
  }

  @Test
  void severalRunAtOnceEachInItsDirectory() throws Exception {
    for (String name : List.of("a", "b")) {
      Ended up = up("--ephemeral", "--data", name);
      assertThat(up.status()).as(up.err()).isZero();
      Path kubeconfig = folder.resolve(name).resolve("admin.kubeconfig");
      assertThat(kubectl(kubeconfig, "create", "namespace", name)).endsWith("created");
    }
    Path second = folder.resolve("b/admin.kubeconfig");
    assertThat(kubectl(second, "get", "namespace", "a")).contains("NotFound");
    assertThat(berth("down", "--data", "a").status()).isZero();
    assertThat(folder.resolve("a")).doesNotExist();
    assertThat(kubectl(second, "get", "--raw", "/readyz")).isEqualTo("ok");
    assertThat(up("--ephemeral", "--data", "b").err())
        .contains("A server is already running in b (process ");
    assertThat(berth("down", "--data", "b").status()).isZero();
  }

  @Test
  void aServerWithDataCanRunInTheBackgroundToo() throws Exception {
    Ended up = up();
    assertThat(up.status()).as(up.err()).isZero();
    Path kubeconfig = usual().resolve("admin.kubeconfig");
    assertThat(kubectl(kubeconfig, "create", "namespace", "kept")).endsWith("created");
    assertThat(up().err()).contains("A server is already running in " + usual());
    assertThat(berth("down").out()).isEqualTo(stopped(usual()));
    assertThat(up().status()).isZero();
    assertThat(kubectl(kubeconfig, "get", "namespace", "kept", "-o", "name"))
        .isEqualTo("namespace/kept");
    assertThat(berth("down").status()).isZero();
    assertThat(Files.readString(usual().resolve("berth.log"))).contains(" serving the Kubernetes");
    assertThat(up("--ephemeral", "--data", "data").err())
        .contains("data holds a cluster's data, which --ephemeral would ignore");
  }

  @Test
  void whyAServerDidNotStartIsSaid() throws Exception {
    assertThat(up("--token-auth-file", "none").err())
        .contains("The server ended with status 1", "berth: There is no token file none.");
    assertThat(up("--wait=soon").err()).isEqualTo("berth: --wait is given twice.\n");
    Ended hasty = berth("up", "--ephemeral", "--port=0", "--wait=1ms");
    assertThat(hasty.status()).isEqualTo(ExitCode.FAILED);
    assertThat(hasty.err()).contains("was not ready in time, and was stopped");
    assertThat(server(ephemeral())).isEmpty();
    assertThat(berth("up", "--wait", "--audit-log=-").err()).contains("name a file.");
    assertThat(berth("up", "--wait=soon").status()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void stoppingWhatDoesNotRunIsToldByTheStatus() throws Exception {
    assertThat(berth("down"))
        .isEqualTo(
            new Ended(
                ExitCode.NOT_RUNNING,
                "",
                "berth: No server is running in %s or %s.\n".formatted(usual(), ephemeral())));
    assertThat(berth("down", "--ignore-not-found").status()).isZero();
  }

  @Test
  void anotherProcessWithTheServersNumberIsLeftAlone() throws Exception {
    Files.createDirectory(usual());
    Files.writeString(
        usual().resolve("berth.pid"),
        ProcessHandle.current().pid()
            + "\nstarted=0@another-boot\nephemeral=false\nkubeconfig=x\n");
    assertThat(berth("down").status()).isEqualTo(ExitCode.NOT_RUNNING);
    Files.writeString(usual().resolve("berth.pid"), "not a number");
    assertThat(berth("down").status()).isEqualTo(ExitCode.NOT_RUNNING);
    Files.delete(usual().resolve("berth.pid"));
  }

  @Test
  void oneInTheForegroundLeavesNothingBehind() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    List<String> command =
        BerthProcess.command(List.of("up", "--ephemeral", "--port=0", "--bind-address=127.0.0.1"));
    command.add(1, "-Djava.io.tmpdir=" + temporary);
    Process process = new ProcessBuilder(command).start();
    try (var said = process.inputReader(UTF_8)) {
      String ready = said.readLine();
      assertThat(ready).contains("--kubeconfig " + temporary + "/berth-");
      process.toHandle().destroy();
      assertThat(said.lines()).containsExactly("Stopped; the cluster is gone.");
      assertThat(process.waitFor()).isZero();
      assertThat(temporary).isEmptyDirectory();
    } finally {
      process.destroyForcibly();
    }
  }
}
