package dev.berth.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Agent;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * This machine as a node of {@code berth up}, as a user sees it: real processes, {@code kubectl},
 * and servers that are killed. Needs root.
 */
class NodeUpTest {
  private final String podRange = BerthProcess.podRange();

  @TempDir private Path folder = Path.of("");

  private Path data() {
    return folder.resolve("data");
  }

  private BerthProcess up(int port, String... further) throws IOException {
    List<String> options = new ArrayList<>(List.of("--node", "--cluster-cidr=" + podRange));
    options.addAll(List.of(further));
    BerthProcess berth = BerthProcess.up(data(), port, options.toArray(String[]::new));
    berth.awaitNodes();
    return berth;
  }

  /** Runs something that is killed a second after it was told to end. */
  private static void run(BerthProcess berth, String name, String... command) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                "run",
                name,
                "--image=any",
                "--overrides={\"spec\": {\"terminationGracePeriodSeconds\": 1}}",
                "--"));
    words.addAll(List.of(command));
    berth.said(words.toArray(String[]::new));
  }

  @AfterEach
  void leavesNothingOnTheMachine() throws IOException {
    Path node = data().resolve("node");
    if (Agent.wasIn(node)) {
      try (WallTime time = new WallTime(FatalError::end)) {
        Agent.remove(node, time);
      }
    }
    assertThat(node).doesNotExist();
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(data().toString());
  }

  @Test
  void whatIsRunRunsAndCanBeReachedAndEnds() throws Exception {
    try (BerthProcess berth = up(0)) {
      berth.said("create", "configmap", "words", "--from-literal=greeting=hello");
      String pod =
          """
          {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web"}, "spec": {
            "restartPolicy": "Never",
            "volumes": [{"name": "words", "configMap": {"name": "words"}},
                        {"name": "scratch", "emptyDir": {}}],
            "initContainers": [{"name": "first", "image": "any",
              "command": ["sh", "-c", "cp /words/greeting /scratch/copy"],
              "volumeMounts": [{"name": "words", "mountPath": "/words"},
                               {"name": "scratch", "mountPath": "/scratch"}]}],
            "containers": [{"name": "main", "image": "any",
              "command": ["sh", "-c", "trap 'echo ended; exit 7' TERM; cat /scratch/copy; echo; while :; do sleep 0.1; done"],
              "readinessProbe": {"exec": {"command": ["test", "-e", "/scratch/copy"]}, "periodSeconds": 1},
              "resources": {"limits": {"memory": "64Mi"}},
              "volumeMounts": [{"name": "scratch", "mountPath": "/scratch"}]}]}}
          """;
      Path file = Files.writeString(folder.resolve("pod.json"), pod);
      berth.said("create", "-f", file.toString());
      berth.await("condition=Ready", "pod/web");
      berth.awaitSaid("^hello\n$", "logs", "web", "-c", "main");
      assertThat(berth.said("get", "pod", "web", "-o", "jsonpath={.status.podIP}"))
          .startsWith(podRange.substring(0, podRange.lastIndexOf('.') + 1));
      assertThat(berth.said("exec", "web", "-c", "main", "--", "sh", "-c", "hostname; exit 3"))
          .contains("web\n")
          .contains("exit code 3");
      berth.said("delete", "pod", "web");
      assertThat(berth.said("get", "pods")).contains("No resources found");
    }
  }

  /** Each of them has a part of the range. */
  @Test
  void aRealNodeBesideHollowOnesRunsPods() throws Exception {
    try (BerthProcess berth = up(0, "--hollow=2", "--node-cidr-mask-size=26")) {
      String[] real = {"get", "nodes", "-l", "!hollow.berth.dev/managed", "-o", "name"};
      berth.awaitSaid("node/", real);
      String node = berth.said(real).strip();
      berth.await("condition=NetworkUnavailable=False", node);
      berth.said(
          "run",
          "real",
          "--image=any",
          "--restart=Never",
          "--overrides={\"spec\": {\"nodeSelector\": {\"kubernetes.io/hostname\": \"%s\"}}}"
              .formatted(node.substring("node/".length())),
          "--",
          "sh",
          "-c",
          "echo here");
      berth.await("jsonpath={.status.phase}=Succeeded", "pod/real");
      assertThat(berth.said("logs", "real")).isEqualTo("here\n");
    }
  }

  @Test
  void anotherImageStartsAContainerAgainWhateverItsPolicy() throws Exception {
    try (BerthProcess berth = up(0)) {
      berth.said(
          "run",
          "once",
          "--image=first",
          "--restart=Never",
          "--",
          "sh",
          "-c",
          "trap 'exit 0' TERM; while :; do sleep 0.1; done");
      berth.await("condition=Ready", "pod/once");
      berth.said("set", "image", "pod/once", "once=second");
      berth.await("jsonpath={.status.containerStatuses[0].restartCount}=1", "pod/once");
      berth.await("condition=Ready", "pod/once");
      assertThat(
              berth.said(
                  "get",
                  "pod",
                  "once",
                  "-o",
                  "jsonpath={.status.phase} {..lastState.terminated.reason}"
                      + " {..status.containerStatuses[0].image}"))
          .isEqualTo("Running Completed second");
      berth.awaitSaid(
          "definition changed, will be restarted",
          "get",
          "events",
          "-o",
          "custom-columns=M:.message");
    }
  }

  @Test
  void aPodIsLimitedAndResizedAsAWhole() throws Exception {
    try (BerthProcess berth = up(0)) {
      String pod =
          """
          {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "whole"}, "spec": {
            "terminationGracePeriodSeconds": 1,
            "resources": {"limits": {"cpu": "1", "memory": "64Mi"}},
            "containers": [{"name": "main", "image": "any",
              "command": ["sh", "-c", "echo $LIMIT; sleep 1000"],
              "env": [{"name": "LIMIT",
                       "valueFrom": {"resourceFieldRef": {"resource": "limits.memory"}}}]}]}}
          """;
      Path file = Files.writeString(folder.resolve("pod.json"), pod);
      berth.said("create", "-f", file.toString());
      berth.await("condition=Ready", "pod/whole");
      berth.awaitSaid("^67108864\n$", "logs", "whole");
      berth.said(
          "patch",
          "pod",
          "whole",
          "--subresource=resize",
          "--patch={\"spec\":{\"resources\":{\"limits\":{\"memory\":\"96Mi\"},\"requests\":{\"memory\":\"96Mi\"}}}}");
      berth.await("jsonpath={.status.resources.limits.memory}=96Mi", "pod/whole");
      assertThat(berth.said("get", "pod", "whole", "-o", "jsonpath={..status.allocatedResources}"))
          .contains("\"memory\":\"96Mi\"");
      berth.awaitSaid("Pod resize completed", "get", "events", "-o", "custom-columns=M:.message");
    }
  }

  @Test
  void aServerThatIsKilledLeavesItsPodsRunningAndFindsThemAgain() throws Exception {
    int port = BerthProcess.steadyPort();
    String before;
    try (BerthProcess berth = up(port)) {
      berth.said(
          "run",
          "steady",
          "--image=any",
          "--restart=Never",
          "--",
          "sh",
          "-c",
          "echo begun; while [ ! -e /tmp/end ]; do sleep 0.1; done; echo ended; exit 5");
      berth.await("condition=Ready", "pod/steady");
      before = berth.said("get", "pod", "steady", "-o", "jsonpath={..containerID} {..startedAt}");
      assertThat(before).startsWith("process://");
      berth.kill();
    }
    try (BerthProcess again = up(port)) {
      assertThat(again.said("get", "pod", "steady", "-o", "jsonpath={..containerID} {..startedAt}"))
          .isEqualTo(before);
      again.said("exec", "steady", "--", "touch", "/tmp/end");
      again.await("jsonpath={.status.phase}=Failed", "pod/steady");
      assertThat(again.said("get", "pod", "steady", "-o", "jsonpath={..terminated.exitCode}"))
          .isEqualTo("5");
      assertThat(again.said("logs", "steady")).isEqualTo("begun\nended\n");
    }
  }

  @Test
  void whoStopsTheServerIsToldThatPodsGoOnAndStopPodsEndsThem() throws Exception {
    int port = BerthProcess.steadyPort();
    try (BerthProcess berth = up(port)) {
      run(berth, "stays", "sleep", "1000");
      berth.await("condition=Ready", "pod/stays");
      assertThat(berth.terminate()).isZero();
      assertThat(berth.lastWords())
          .last()
          .asString()
          .contains("One pod of this machine goes on", "berth reset --data=" + data());
    }
    try (BerthProcess again = up(port, "--stop-pods")) {
      assertThat(again.said("get", "pod", "stays")).contains("Running");
      assertThat(again.terminate()).isZero();
      assertThat(again.lastWords()).last().isEqualTo("Stopped; everything is in " + data() + ".");
    }
  }

  @Test
  void aPodOfAnEphemeralClusterEndsWithIt() throws Exception {
    // So long does nobody else sleep.
    String length = "1001" + ProcessHandle.current().pid();
    try (BerthProcess berth = up(0, "--ephemeral")) {
      run(berth, "gone", "sleep", length);
      berth.await("condition=Ready", "pod/gone");
      assertThat(berth.terminate()).isZero();
    }
    Process found = new ProcessBuilder("pgrep", "-f", "^sleep " + length + "$").start();
    assertThat(new String(found.getInputStream().readAllBytes(), UTF_8)).isEmpty();
  }

  @Test
  void podsOfAnEphemeralClusterMayEndInOrderToo() throws Exception {
    Path told = Files.createDirectory(folder.resolve("told"));
    try (BerthProcess berth = up(0, "--ephemeral", "--stop-pods")) {
      String ends = "trap 'echo over > /told/over; exit' TERM; while :; do sleep 0.1; done";
      String pod =
          """
          {"spec":{"containers":[{"name":"last","image":"any","command":["sh","-c","%s"],
          "volumeMounts":[{"name":"told","mountPath":"/told"}]}],
          "volumes":[{"name":"told","hostPath":{"path":"%s"}}]}}
          """
              .formatted(ends, told);
      berth.said("run", "last", "--image=any", "--restart=Never", "--overrides=" + pod);
      berth.await("condition=Ready", "pod/last");
      assertThat(berth.terminate()).isZero();
      assertThat(berth.lastWords()).last().isEqualTo("Stopped; the cluster is gone.");
    }
    assertThat(told.resolve("over")).hasContent("over");
  }
}
