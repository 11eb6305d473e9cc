package dev.berth.bench.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.api.Berth;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An agent in a process of its own, as on a second machine. */
final class JoinedAgent implements AutoCloseable {
  private final Path directory;
  private final Process process;

  private JoinedAgent(Path directory, Process process) {
    this.directory = directory;
    this.process = process;
  }

  /**
   * Joins a server.
   *
   * @param folder for its data, configuration and log
   * @param configuration further lines of its KubeletConfiguration
   * @param options of {@code berth node}
   */
  static JoinedAgent join(Berth server, Path folder, String configuration, String... options)
      throws IOException {
    Path directory = folder.resolve("agent");
    String line = output("token", "create", "--data", server.directory().toString());
    List<String> words = new ArrayList<>(List.of(line.strip().split(" ", -1)));
    words.set(0, Berth.ROOT.resolve("berth").toString());
    words.addAll(
        List.of("--data", directory.toString(), "--config", configuration(folder, configuration)));
    words.addAll(Arrays.asList(options));
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("agent.log").toFile());
    // No measurement delays the shutdown of this machine, nor changes how long logind waits.
    builder.environment().put("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=" + folder.resolve("no-bus"));
    return new JoinedAgent(directory, builder.start());
  }

  /** A configuration by which a node does not meet others on this machine at the usual port. */
  static String configuration(Path folder, String further) throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      String text =
          """
          apiVersion: kubelet.config.k8s.io/v1beta1
          kind: KubeletConfiguration
          port: %d
          %s
          """
              .formatted(free.getLocalPort(), further);
      return Files.writeString(folder.resolve("kubelet.yaml"), text).toString();
    }
  }

  Path directory() {
    return directory;
  }

  double cpuMillis() {
    return process.info().totalCpuDuration().orElseThrow().toNanos() / 1e6;
  }

  double residentMegabytes() throws IOException {
    return Berth.residentMegabytes(process.pid());
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    process.onExit().join();
    output("reset", "--data", directory.toString());
  }

  private static String output(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(Berth.ROOT.resolve("berth").toString()));
    command.addAll(Arrays.asList(words));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8);
  }
}
