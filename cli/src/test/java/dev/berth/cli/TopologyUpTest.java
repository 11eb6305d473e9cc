package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.Agent;
import dev.berth.time.FatalError;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processors that are one container's alone, on a machine whose first two processors are said to be
 * of two NUMA nodes. Needs root and cgroups with processors.
 */
class TopologyUpTest {
  private final String podRange = BerthProcess.podRange();

  @TempDir private Path folder = Path.of("");

  private Path data() {
    return folder.resolve("data");
  }

  private BerthProcess up(int port) throws IOException {
    Path topology =
        Files.writeString(
            folder.resolve("topology.yaml"),
            """
            apiVersion: berth.dev/v1
            kind: MachineTopology
            nodes:
            - {id: 0, memory: 1Gi, cpus: [{id: 0}]}
            - {id: 1, memory: 1Gi, cpus: [{id: 1}]}
            """);
    BerthProcess berth =
        BerthProcess.up(
            data(),
            port,
            "--node",
            "--cluster-cidr=" + podRange,
            "--topology-file=" + topology,
            "--cpu-manager-policy=static",
            "--reserved-cpus=0",
            "--topology-manager-policy=single-numa-node");
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

  private void create(BerthProcess berth, String name, String resources) throws IOException {
    String node = berth.said("get", "nodes", "-o", "jsonpath={.items[0].metadata.name}");
    Path file =
        Files.writeString(
            folder.resolve(name + ".json"),
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {
              "nodeName": "%s", "restartPolicy": "Never", "terminationGracePeriodSeconds": 1,
              "containers": [{"name": "c", "image": "any", "command": ["sleep", "1000"],
                "resources": {%s}}]}}
            """
                .formatted(name, node, resources));
    assertThat(berth.said("create", "-f", file.toString())).contains("created");
  }

  private static void runsOn(BerthProcess berth, String pod, String cpus) throws IOException {
    berth.await("condition=Ready", "pod/" + pod);
    assertThat(
            berth.said(
                "exec",
                pod,
                "--",
                "sh",
                "-c",
                "until grep -q '^Cpus_allowed_list:.%s$' /proc/1/status; do sleep 0.05; done; echo there"
                    .formatted(cpus)))
        .isEqualTo("there\n");
  }

  @Test
  void aContainerHasItsProcessorAloneAlsoAfterAKill() throws Exception {
    String whole = "\"limits\": {\"cpu\": \"1\", \"memory\": \"32Mi\"}";
    int port = BerthProcess.steadyPort();
    try (BerthProcess berth = up(port)) {
      create(berth, "shared", "");
      runsOn(berth, "shared", "0-1");
      create(berth, "own", whole);
      runsOn(berth, "own", "1");
      runsOn(berth, "shared", "0");
      create(berth, "second", whole);
      berth.await("jsonpath={.status.phase}=Failed", "pod/second");
      assertThat(
              berth.said(
                  "get", "pod", "second", "-o", "jsonpath={.status.reason}: {.status.message}"))
          .isEqualTo(
              "TopologyAffinityError: Pod was rejected: Resources cannot be allocated with Topology"
                  + " locality");
      berth.kill();
    }
    try (BerthProcess berth = up(port)) {
      runsOn(berth, "own", "1");
      runsOn(berth, "shared", "0");
      berth.said("delete", "pod", "own");
      runsOn(berth, "shared", "0-1");
    }
  }
}
