package dev.berth.cli.machines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A machine with a cluster of its own, as {@code berth up} makes it. */
final class OneHost implements AutoCloseable {
  private final TestLan lan;
  final TestMachine machine;
  final Kubectl kubectl;
  private final Path config;

  /** The server that was started last. */
  private BerthOn running;

  /**
   * @param configuration fields of a KubeletConfiguration, in YAML
   * @param options further ones of {@code berth up}
   */
  OneHost(Path folder, String configuration, String... options) throws IOException {
    config =
        Files.writeString(
            folder.resolve("node.yaml"),
            """
            apiVersion: kubelet.config.k8s.io/v1beta1
            kind: KubeletConfiguration
            """
                + configuration);
    lan = new TestLan(folder);
    try {
      machine = lan.machine("host");
      kubectl = new Kubectl(machine);
      running = up(options);
    } catch (IOException | RuntimeException | Error e) {
      lan.close();
      throw e;
    }
  }

  /** Starts a server with a node; returns when that is ready. */
  BerthOn up(String... further) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of("up", "--data=" + machine.data(), "--port=6443", "--node-config=" + config));
    words.addAll(Arrays.asList(further));
    running = machine.berth(words.toArray(String[]::new));
    running.await("Berth serves the Kubernetes API");
    kubectl.await("node/host", "create");
    kubectl.awaitReady("node/host");
    return running;
  }

  BerthOn running() {
    return running;
  }

  /** The agent's own directory. */
  Path node() {
    return machine.data().resolve("node");
  }

  @Override
  public void close() throws IOException {
    lan.close();
  }
}
