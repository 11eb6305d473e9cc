package dev.berth.cli.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A server and two nodes, each on a machine of its own. */
final class ThreeHosts implements AutoCloseable {
  private static final String PORT = "6443";

  final TestLan lan;
  final TestMachine server;
  final TestMachine left;
  final TestMachine right;
  final Kubectl kubectl;
  private final Path nodeConfig;
  private final Map<TestMachine, BerthOn> agents = new HashMap<>();
  private BerthOn running;

  /** Whether the server runs that ran at the beginning, or one like it. */
  private boolean isAsEver = true;

  private final String joinLine;

  ThreeHosts(Path folder) throws IOException {
    lan = new TestLan(folder);
    try {
      server = lan.machine("server");
      left = lan.machine("left");
      right = lan.machine("right");
      // Heartbeats every five seconds: a lost node is noticed soon, and a slow one is not lost.
      nodeConfig =
          Files.writeString(
              folder.resolve("node.yaml"),
              """
              apiVersion: kubelet.config.k8s.io/v1beta1
              kind: KubeletConfiguration
              nodeLeaseDurationSeconds: 20
              failSwapOn: false
              """);
      running = up();
      kubectl = new Kubectl(server);
      BerthOn.Answer line = server.answer("token", "create", "--data", server.data().toString());
      assertThat(line.text())
          .startsWith("berth node join https://%s:%s ".formatted(server.address(), PORT));
      joinLine = line.text();
      for (TestMachine node : List.of(left, right)) {
        agents.put(node, join(node, node.data()));
        agent(node).await("has joined");
      }
      for (TestMachine node : List.of(left, right)) {
        kubectl.await("node/" + node.name(), "create");
        kubectl.awaitReady("node/" + node.name());
      }
    } catch (IOException | RuntimeException | Error e) {
      lan.close();
      throw e;
    }
  }

  /** A server; returns when it serves. */
  private BerthOn up(String... further) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "up",
                "--no-node",
                "--data=" + server.data(),
                "--port=" + PORT,
                "--cluster-cidr=10.112.0.0/16",
                "--node-monitor-grace-period=20s",
                "--node-monitor-period=500ms"));
    words.addAll(Arrays.asList(further));
    BerthOn berth = server.berth(words.toArray(String[]::new));
    berth.await("Berth serves the Kubernetes API");
    return berth;
  }

  /** Kills the server. */
  void killServer() {
    running.kill();
    isAsEver = false;
  }

  /** Starts a server; one with further options is another one than that of the beginning. */
  void startServer(String... further) throws IOException {
    running = up(further);
    isAsEver = further.length == 0;
  }

  /**
   * Makes everything as it was at the beginning, whatever a test did or failed to do: the network,
   * the server, the agents and the nodes, with no pods and volumes.
   */
  void makeAsEver() throws IOException {
    if (!isAsEver) {
      killServer();
      startServer();
    }
    for (TestMachine node : List.of(left, right)) {
      lan.reconnect(node);
      if (!agent(node).isAlive()) {
        startAgent(node);
      }
      kubectl.await("node/" + node.name(), "create");
      kubectl.awaitReady("node/" + node.name());
      String taints = kubectl.field("node/" + node.name(), "{.spec.taints[*].key}");
      for (String key : List.of("dedicated", "node.kubernetes.io/out-of-service")) {
        if (taints.contains(key)) {
          kubectl.run("taint", "node", node.name(), key + "-");
        }
      }
      kubectl.awaitField("node/" + node.name(), "{.spec.taints}", "");
    }
    kubectl.run("delete", "deployments,ds,sts,rs,jobs,pods,pvc,pv", "--all", Kubectl.PATIENCE);
  }

  /** The agent of a node. */
  BerthOn agent(TestMachine node) {
    return Objects.requireNonNull(agents.get(node));
  }

  /** Starts the agent of a machine that is a node, and runs none. */
  void startAgent(TestMachine node) throws IOException {
    BerthOn agent = node.berth("node", "--data=" + node.data(), "--config=" + nodeConfig);
    agents.put(node, agent);
    agent.await("Running the node");
  }

  /**
   * Kills the agent of a node and starts another one.
   *
   * @param meanwhile what happens in between
   */
  void restart(TestMachine node, Runnable meanwhile) throws IOException {
    agent(node).kill();
    meanwhile.run();
    startAgent(node);
    kubectl.awaitReady("node/" + node.name());
  }

  /** Makes a machine a node by the line that the server gave. */
  BerthOn join(TestMachine machine, Path data, String... further) throws IOException {
    List<String> words = new ArrayList<>(List.of(joinLine.strip().split(" ", -1)));
    assertThat(words.removeFirst()).isEqualTo("berth");
    words.add("--data=" + data);
    words.add("--config=" + nodeConfig);
    words.addAll(Arrays.asList(further));
    return machine.berth(words.toArray(String[]::new));
  }

  @Override
  public void close() throws IOException {
    lan.close();
  }
}
