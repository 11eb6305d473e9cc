package dev.berth.cli.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.PrivateLogind;
import dev.berth.cli.BerthProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * N13: a machine whose logind is about to shut it down, as users see it. The machine itself is left
 * alone: logind has a bus and a systemd of its own. Needs root.
 */
class NodeShutdownTest {
  private static final long PATIENCE_SECONDS = 90;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder = Path.of("");

  private static BerthOn up(TestMachine machine, PrivateLogind logind, Path config)
      throws IOException {
    List<String> command =
        new ArrayList<>(List.of("env", "DBUS_SYSTEM_BUS_ADDRESS=" + logind.address()));
    command.addAll(
        BerthProcess.command(
            List.of("up", "--data=" + machine.data(), "--port=6443", "--node-config=" + config)));
    BerthOn berth = machine.start(command);
    berth.await("Berth serves the Kubernetes API");
    return berth;
  }

  private Path configuration(String name, int total, int critical) throws IOException {
    return Files.writeString(
        folder.resolve(name),
        """
        apiVersion: kubelet.config.k8s.io/v1beta1
        kind: KubeletConfiguration
        shutdownGracePeriod: %ds
        shutdownGracePeriodCriticalPods: %ds
        """
            .formatted(total, critical));
  }

  /** A pod that does something when it is told to end. */
  private static String pod(String name, String priority, String onTerm) {
    return """
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "kube-system"},
     "spec": {"nodeName": "host", "terminationGracePeriodSeconds": 60, %s
      "tolerations": [{"operator": "Exists"}],
      "containers": [{"name": "main", "image": "any",
        "command": ["sh", "-c", "trap '%s' TERM; while :; do sleep 0.1; done"]}]}}
    """
        .formatted(
            name, priority.isEmpty() ? "" : "\"priorityClassName\": \"" + priority + "\",", onTerm);
  }

  /** Where pods may be critical; a server writes its kubeconfig anew when it starts. */
  private static void useKubeSystem(Kubectl kubectl) throws IOException {
    kubectl.run("config", "set-context", "--current", "--namespace=kube-system");
  }

  private static String startedUnit(PrivateLogind logind) throws InterruptedException {
    return String.valueOf(logind.systemd().started().poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void theMachineWaitsForItsPodsAndARestartedAgentStartsNone()
      throws IOException, InterruptedException {
    Path config = configuration("node.yaml", 310, 10);
    try (PrivateLogind logind = new PrivateLogind(folder.resolve("logind"));
        TestLan lan = new TestLan(folder)) {
      TestMachine machine = lan.machine("host");
      machine.run(
          "sh",
          "-c",
          "mount -t tmpfs none /etc/systemd && mkdir /etc/systemd/logind.conf.d && mount --bind %s /etc/systemd/logind.conf.d"
              .formatted(logind.configuration()));
      BerthOn berth = up(machine, logind, config);
      Kubectl kubectl = new Kubectl(machine);
      kubectl.await("node/host", "create");
      kubectl.awaitReady("node/host");
      useKubeSystem(kubectl);
      kubectl.create(pod("web", "", "until [ -e /tmp/go ]; do sleep 0.1; done; exit 0"));
      kubectl.create(pod("dns", "system-node-critical", "exit 0"));
      kubectl.awaitReady("pod/web");
      kubectl.awaitReady("pod/dns");
      String data = "--data=" + machine.data();
      assertThat(machine.answer("node", "status", data).text())
          .contains("Node:           host, Ready\n")
          .contains(
              "300s for pods of priority 0 and above, then 10s for pods of priority 2000000000")
          .contains("holds a lock; logind waits for 310s\n")
          .contains("delay): Pods of this node need time to end");
      // Of all agents of the machine it is the only one, wherever it keeps its data.
      assertThat(machine.answer("node", "status", "-o", "json").text())
          .startsWith("{\"node\":\"host\"")
          .contains("\"holdsLock\":true", "\"runningPods\":2", "\"policy\":\"none\"");

      logind.powerOff();
      kubectl.await("node/host", "condition=Ready=False");
      assertThat(
              kubectl.field(
                  "node/host",
                  "{range .status.conditions[?(@.type==\"Ready\")]}{.reason}: {.message}{end}"))
          .isEqualTo("KubeletNotReady: node is shutting down");
      kubectl.create(pod("late", "system-node-critical", "exit 0"));
      kubectl.await("pod/late", "jsonpath={.status.phase}=Failed");
      assertThat(kubectl.field("pod/late", "{.status.reason}")).isEqualTo("NodeShutdown");
      assertThat(kubectl.field("pod/dns", "{.status.phase}")).isEqualTo("Running");
      assertThat(logind.systemd().started()).isEmpty();
      kubectl.run("exec", "web", "--", "touch", "/tmp/go");
      assertThat(startedUnit(logind)).isEqualTo("poweroff.target");
      for (String name : List.of("web", "dns")) {
        assertThat(
                kubectl.field(
                    "pod/" + name, "{.status.phase}, {.status.reason}: {.status.message}"))
            .isEqualTo(
                "Failed, Terminated: Pod was terminated in response to imminent node shutdown.");
      }
      String metrics = kubectl.run("get", "--raw", "/api/v1/nodes/host/proxy/metrics");
      assertThat(metrics.lines())
          .filteredOn(line -> line.startsWith("kubelet_graceful_shutdown_"))
          .hasSize(2)
          .allMatch(line -> line.matches("\\w+_time_seconds [1-9].*"));

      // It is cancelled: the node is ready, what has ended stays so, and the next one runs.
      logind.systemd().cancel();
      kubectl.awaitReady("node/host");
      assertThat(kubectl.field("pod/web", "{.status.phase}")).isEqualTo("Failed");
      kubectl.create(pod("deaf", "", ""));
      kubectl.awaitReady("pod/deaf");

      // The agent dies in the middle of the next one: with it goes its lock.
      logind.powerOff();
      kubectl.await("node/host", "condition=Ready=False");
      berth.kill();
      assertThat(startedUnit(logind)).isEqualTo("poweroff.target");
      up(machine, logind, configuration("brief.yaml", 4, 1));
      useKubeSystem(kubectl);
      kubectl.create(pod("later", "", "exit 0"));
      kubectl.await("pod/later", "jsonpath={.status.phase}=Failed");
      assertThat(kubectl.field("pod/later", "{.status.reason}")).isEqualTo("NodeShutdown");
      kubectl.await("pod/deaf", "jsonpath={.status.phase}=Failed");
      assertThat(kubectl.field("pod/deaf", "{.status.reason} {..restartCount}"))
          .isEqualTo("Terminated 0");
      assertThat(kubectl.field("node/host", "{.status.conditions[?(@.type==\"Ready\")].message}"))
          .isEqualTo("node is shutting down");
    }
  }
}
