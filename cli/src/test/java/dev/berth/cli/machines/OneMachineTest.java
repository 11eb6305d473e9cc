package dev.berth.cli.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Await;
import dev.berth.cli.BerthProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Living with a node: what stopping and removing it leaves, and what a machine lacks. */
class OneMachineTest {
  private static final String POD =
      """
      {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "stays"}, "spec": {
        "terminationGracePeriodSeconds": 5,
        "volumes": [{"name": "m", "emptyDir": {"medium": "Memory"}}],
        "containers": [{"name": "main", "image": "any",
          "command": ["sh", "-c", "trap 'exit 0' TERM; while :; do sleep 0.1; done"],
          "volumeMounts": [{"name": "m", "mountPath": "/m"}]}]}}
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder = Path.of("");

  @Test
  void podsGoOnWhenTheServerIsStoppedUntilSomebodyEndsThem() throws IOException {
    try (OneHost host = new OneHost(folder, "")) {
      host.kubectl.create(POD);
      host.kubectl.awaitReady("pod/stays");
      String uid = host.kubectl.field("pod/stays", "{.metadata.uid}");
      String data = "--data=" + host.machine.data();

      // Who would remove a node while it runs is told to stop it first.
      BerthOn.Answer tooEarly = host.machine.answer("reset", data);
      assertThat(tooEarly.code()).isEqualTo(1);
      assertThat(tooEarly.text())
          .isEqualTo("berth: another agent runs in " + host.node() + ": stop it first.\n");

      assertThat(host.machine.answer("down", data).text())
          .isEqualTo(
              "Stopped the server in %s. One pod of this machine goes on: the next start finds it again,"
                      .formatted(host.machine.data())
                  + " and \"berth reset --data=%s\" ends it.\n".formatted(host.machine.data()));
      assertThat(Leftovers.cgroups(uid)).isNotEmpty();

      host.up();
      assertThat(host.kubectl.field("pod/stays", "{..restartCount}")).isEqualTo("0");
      assertThat(host.machine.answer("down", data, "--stop-pods").text())
          .isEqualTo("Stopped the server in " + host.machine.data() + ".\n");

      host.up();
      host.kubectl.awaitField("pod/stays", "{.status.phase} {.status.reason}", "Failed Terminated");
      host.kubectl.create(POD.replace("stays", "other"));
      host.kubectl.awaitReady("pod/other");
      uid = host.kubectl.field("pod/other", "{.metadata.uid}");
      host.machine.answer("down", data);
      assertThat(host.machine.answer("reset", data).text())
          .isEqualTo("Removed the node in " + host.node() + ".\n");
      assertThat(Leftovers.cgroups(uid)).isEmpty();
      assertThat(host.machine.leftovers()).isEmpty();
      assertThat(host.machine.answer("reset", data).text())
          .isEqualTo(
              "berth: There is nothing to remove: no agent has run in "
                  + host.machine.data()
                  + ".\n");
    }
  }

  @Test
  void withoutCgroupsThereIsNoNodeAndAllElseWorks() throws IOException {
    try (TestLan lan = new TestLan(folder)) {
      TestMachine machine = lan.machine("bare");
      List<String> command =
          new ArrayList<>(
              List.of(
                  "unshare",
                  "--mount",
                  "sh",
                  "-c",
                  "umount -R -l /sys/fs/cgroup; exec \"$@\"",
                  "sh"));
      command.addAll(
          BerthProcess.command(List.of("up", "--data=" + machine.data(), "--port=6443")));
      try (BerthOn up = machine.start(command)) {
        up.await("Berth serves the Kubernetes API");
        Await.until("a line of the log", () -> up.log().contains("is no node"));
        assertThat(up.log().lines().filter(line -> line.contains("is no node")))
            .singleElement()
            .asString()
            .contains("there are no cgroups in /sys/fs/cgroup");
        assertThat(new Kubectl(machine).run("get", "nodes")).contains("No resources found");
      }
    }
  }
}
