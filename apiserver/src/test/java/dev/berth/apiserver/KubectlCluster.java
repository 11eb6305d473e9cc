package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.store.memory.MemoryStore;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server in this process, over TLS, and the real {@code kubectl} to talk to it. */
final class KubectlCluster implements AutoCloseable {
  private final WallTime time = new WallTime(failure -> failure.cause().printStackTrace());
  private final MemoryStore store = new MemoryStore();
  private final Path directory;
  private final ApiServer server;

  KubectlCluster(Path directory) {
    this.directory = directory;
    server =
        ApiServer.start(
            new ApiServerConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                directory.resolve("pki"),
                store,
                time,
                (method, path, cause) -> cause.printStackTrace()));
    server.writeAdminKubeconfig(directory.resolve("kubeconfig"));
  }

  /** What kubectl says, whether it likes it or not. */
  String kubectl(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kubectl"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("KUBECONFIG", directory.resolve("kubeconfig").toString());
    builder.environment().put("HOME", directory.toString());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new AssertionError(
          "kubectl is missing: install the Debian package kubernetes-client", e);
    }
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return output;
  }

  String manifest(String name, String yaml) throws IOException {
    return Files.writeString(directory.resolve(name), yaml).toString();
  }

  @Override
  public void close() {
    server.close();
    store.close();
    time.close();
  }
}
