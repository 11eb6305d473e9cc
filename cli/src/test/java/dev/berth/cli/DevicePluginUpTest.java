package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Agent;
import dev.berth.grpc.device.PluginProcess;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A device plugin that is a process, on a node of {@code berth up}, as a user sees it: {@code
 * kubectl}, and plugins and servers that are killed with -9. Needs root. T7.
 */
class DevicePluginUpTest {
  private static final String THING = "example.com/thing";

  private final String podRange = BerthProcess.podRange();

  @TempDir private Path folder = Path.of("");

  private Path data() {
    return folder.resolve("data");
  }

  private Path sockets() {
    return data().resolve("node/device-plugins");
  }

  private BerthProcess up(int port) throws IOException {
    BerthProcess berth = BerthProcess.up(data(), port, "--node", "--cluster-cidr=" + podRange);
    berth.awaitNodes();
    return berth;
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
  }

  private PluginProcess plugin(String... devices) throws IOException {
    PluginProcess plugin = new PluginProcess(sockets(), THING, devices);
    assertThat(plugin.register()).isEqualTo("registered");
    return plugin;
  }

  /** Waits until the node's status says so. */
  private static void nodeHas(BerthProcess berth, int capacity, int allocatable)
      throws IOException {
    waitFor(berth, "node", "--all", "capacity.example\\.com/thing", "" + capacity);
    waitFor(berth, "node", "--all", "allocatable.example\\.com/thing", "" + allocatable);
  }

  private static void waitFor(
      BerthProcess berth, String kind, String name, String field, String value) throws IOException {
    berth.await("jsonpath={.status." + field + "}=" + value, kind, name);
  }

  private void create(BerthProcess berth, String name, int count, String further)
      throws IOException {
    Path file =
        Files.writeString(
            folder.resolve(name + ".json"),
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {%s
              "restartPolicy": "Never", "terminationGracePeriodSeconds": 1,
              "containers": [{"name": "c", "image": "any",
                "command": ["sh", "-c", "echo $THINGS; head -c 3 /dev/thing-a | wc -c; (echo x > /dev/thing-a) 2>/dev/null || echo unwritable; cat /things/greeting; exec sleep 1000"],
                "resources": {"limits": {"example.com/thing": %d}}}]}}
            """
                .formatted(name, further, count));
    assertThat(berth.said("create", "-f", file.toString())).contains("created");
  }

  private static String onThisNode(BerthProcess berth) throws IOException {
    return "\"nodeName\": \"%s\","
        .formatted(berth.said("get", "nodes", "-o", "jsonpath={.items[0].metadata.name}"));
  }

  private static void isRefused(BerthProcess berth, String pod, String why) throws IOException {
    waitFor(berth, "pod", pod, "phase", "Failed");
    assertThat(berth.said("get", "pod", pod, "-o", "jsonpath={.status.reason}: {.status.message}"))
        .isEqualTo(
            "UnexpectedAdmissionError: Pod was rejected: Allocate failed due to %s, which is unexpected"
                .formatted(why));
  }

  @Test
  void podsGetDevicesAndPluginsMayMisbehave() throws Exception {
    try (BerthProcess berth = up(0)) {
      Files.createDirectory(sockets().resolve("shared"));
      Files.writeString(sockets().resolve("shared/greeting"), "hello\n");
      try (PluginProcess plugin = plugin("a", "b", "c!")) {
        nodeHas(berth, 3, 2);
        create(berth, "web", 2, "");
        berth.await("condition=Ready", "pod/web");
        plugin.await("allocate a b");
        plugin.await("prestart a b");
        berth.awaitSaid("^a,b\n3\n.*hello\n$", "logs", "web");
        assertThat(berth.said("exec", "web", "--", "stat", "-c", "%F", "/dev/thing-b"))
            .isEqualTo("character special file\n");

        // The scheduler knows that there are no more, and so does the node.
        create(berth, "waits", 1, "");
        berth.await("condition=PodScheduled=false", "pod/waits");
        berth.awaitSaid(
            "Insufficient example.com/thing",
            "get",
            "events",
            "--field-selector=reason=FailedScheduling");
        create(berth, "forced", 1, onThisNode(berth));
        isRefused(
            berth,
            "forced",
            "requested number of devices unavailable for example.com/thing. Requested: 1, Available: 0");

        // A device that is mended goes to whoever waits; one that breaks is shown by its pod.
        plugin.tell("devices a! b c d");
        nodeHas(berth, 4, 3);
        plugin.await("allocate c");
        berth.await("condition=Ready", "pod/waits");
        waitFor(
            berth,
            "pod",
            "web",
            "containerStatuses[0].allocatedResourcesStatus[0].resources[0].health",
            "Unhealthy");

        misbehave(berth, plugin);
      }
      // Killed with -9: what runs goes on, and nothing is given away any more.
      nodeHas(berth, 4, 0);
      assertThat(berth.said("get", "pod", "web")).contains("Running");
      create(berth, "late", 1, onThisNode(berth));
      isRefused(
          berth,
          "late",
          "no healthy devices present; cannot allocate unhealthy devices example.com/thing");

      // The next plugin finds all as it was.
      try (PluginProcess _ = plugin("a", "b", "c")) {
        nodeHas(berth, 3, 3);
        create(berth, "again", 1, onThisNode(berth));
        isRefused(
            berth,
            "again",
            "requested number of devices unavailable for example.com/thing. Requested: 1, Available: 0");
        berth.said("delete", "pod", "web");
        create(berth, "last", 2, "");
        berth.await("condition=Ready", "pod/last");
      }
    }
  }

  /** Two pods have a, b and c; what a hostile plugin does now changes nothing for them. */
  private void misbehave(BerthProcess berth, PluginProcess plugin) throws Exception {
    assertThat(plugin.register("v1beta1", "cpu"))
        .isEqualTo("refused: the ResourceName \"cpu\" is invalid");
    assertThat(plugin.register("v2"))
        .isEqualTo(
            "refused: requested API version \"v2\" is not supported by kubelet. Supported version is [\"v1beta1\"]");
    assertThat(plugin.register("v1beta1", THING, "../../pki/x"))
        .startsWith("refused: the Endpoint \"../../pki/x\" is invalid");

    plugin.tell("flood 5000");
    plugin.await("flooded");
    plugin.tell("devices a b c d");
    plugin.await("listed");
    plugin.tell("fail out of things");
    // A plugin that registers again is heard at once, however much it has still to say.
    assertThat(plugin.register()).isEqualTo("registered");
    nodeHas(berth, 4, 4);
    create(berth, "fails", 1, "");
    plugin.await("allocate d");
    isRefused(berth, "fails", "rpc error: code = Unknown desc = out of things");

    plugin.tell("hang");
    create(berth, "hangs", 1, "");
    plugin.await("allocate d");
    assertThat(berth.said("run", "other", "--image=any", "--", "sleep", "1000"))
        .contains("created");
    berth.await("condition=Ready", "pod/other");
    assertThat(berth.said("get", "nodes")).contains(" Ready");
    assertThat(berth.said("get", "pod", "hangs")).contains("Pending");
    berth.said("delete", "pod", "hangs", "--force", "--grace-period=0");
  }

  @Test
  void assignmentsOutliveAServerThatIsKilled() throws Exception {
    int port = BerthProcess.steadyPort();
    Files.createDirectories(folder);
    try (BerthProcess berth = up(port)) {
      Files.createDirectory(sockets().resolve("shared"));
      Files.writeString(sockets().resolve("shared/greeting"), "hello\n");
      try (PluginProcess _ = plugin("a", "b", "c")) {
        nodeHas(berth, 3, 3);
        create(berth, "web", 2, "");
        berth.await("condition=Ready", "pod/web");
        berth.kill();
      }
    }
    assertThat(sockets().resolve("kubelet.sock")).exists();
    try (BerthProcess again = up(port)) {
      nodeHas(again, 0, 0);
      assertThat(again.said("get", "pod", "web")).contains("Running");
      assertThat(sockets().resolve("example.com_thing.sock")).doesNotExist();
      try (PluginProcess plugin = plugin("a", "b", "c")) {
        nodeHas(again, 3, 3);
        create(again, "two", 2, onThisNode(again));
        isRefused(
            again,
            "two",
            "requested number of devices unavailable for example.com/thing. Requested: 2, Available: 1");
        create(again, "three", 1, "");
        again.await("condition=Ready", "pod/three");
        plugin.await("allocate c");
      }
    }
  }
}
