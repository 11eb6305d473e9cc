package dev.berth.cli.machines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server and two nodes on three machines with networks of their own, as users make them: joined
 * by the line of {@code berth token create}, cut off, restarted, drained. Needs root.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(300)
class ThreeHostsTest {
  private ThreeHosts hosts;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws IOException {
    hosts = new ThreeHosts(folder);
    kubectl = hosts.kubectl;
  }

  @AfterAll
  void end() throws IOException {
    if (hosts != null) {
      hosts.close();
    }
  }

  /** A pod on a node that stays there whatever becomes of the node. */
  private static String pod(String name, TestMachine node, String script) {
    return """
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {
      "nodeSelector": {"kubernetes.io/hostname": "%s"}, "terminationGracePeriodSeconds": 1,
      "tolerations": [{"operator": "Exists"}],
      "containers": [{"name": "main", "image": "any", "command": ["sh", "-c", "%s"]}]}}
    """
        .formatted(name, node.name(), script);
  }

  /** What must not change while a pod goes on. */
  private String identity(String pod) throws IOException {
    return kubectl.field(
        "pod/" + pod,
        "{.metadata.uid} {.status.podIP} {..containerID} {..restartCount} {..running.startedAt}");
  }

  @Test
  void podsOfBothMachinesHaveAddressesAndReachEachOther() throws IOException {
    for (TestMachine node : List.of(hosts.left, hosts.right)) {
      kubectl.create(
          pod(
              "web-" + node.name(),
              node,
              "cd /tmp; echo from " + node.name() + " >index; exec python3 -m http.server 8080"));
    }
    for (TestMachine node : List.of(hosts.left, hosts.right)) {
      kubectl.awaitReady("pod/web-" + node.name());
      assertThat(kubectl.field("pod/web-" + node.name(), "{.status.hostIP}"))
          .isEqualTo(node.address());
    }
    String address = kubectl.field("pod/web-right", "{.status.podIP}");
    assertThat(kubectl.field("pod/web-left", "{.status.podIP}")).isNotEqualTo(address);
    assertThat(
            kubectl.run(
                "exec",
                "web-left",
                "--",
                "python3",
                "-c",
                """
                import time, urllib.request
                for attempt in range(50):
                  try:
                    print(urllib.request.urlopen('http://%s:8080/index', timeout=5).read().decode())
                    break
                  except OSError:
                    time.sleep(0.1)
                """
                    .formatted(address)))
        .contains("from right");
    assertThat(kubectl.run("logs", "web-right")).contains("/index");
    kubectl.run("delete", "pod", "web-left", "web-right");
  }

  @Test
  void aSecondMachineUnderTheNameOfALivingNodeIsRefused() throws IOException {
    String before = kubectl.field("node/left", "{.metadata.uid} {.status.nodeInfo.machineID}");
    Path data = hosts.server.data().resolveSibling("second");
    try (BerthOn second = hosts.join(hosts.server, data, "--hostname-override=left")) {
      assertThat(second.ended()).isEqualTo(1);
      assertThat(second.log())
          .contains("berth: the node \"left\" is alive on another machine")
          .contains("--hostname-override");
    }
    assertThat(hosts.server.answer("reset", "--data=" + data).code()).isZero();
    assertThat(kubectl.field("node/left", "{.metadata.uid} {.status.nodeInfo.machineID}"))
        .isEqualTo(before);
    kubectl.awaitReady("node/left");
  }

  @Test
  void aPartitionedNodeKeepsItsPodsAndStopsWhatWasDeletedMeanwhile() throws IOException {
    kubectl.create(pod("stays", hosts.left, "exec sleep 87601"));
    kubectl.create(pod("goes", hosts.left, "exec sleep 87602"));
    kubectl.create(
        """
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "moves"}, "spec": {
          "replicas": 1, "selector": {"matchLabels": {"app": "moves"}}, "template": {
            "metadata": {"labels": {"app": "moves"}}, "spec": {
              "terminationGracePeriodSeconds": 1,
              "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
                {"weight": 100, "preference": {"matchExpressions": [
                  {"key": "kubernetes.io/hostname", "operator": "In", "values": ["left"]}]}}]}},
              "tolerations": [
                {"key": "node.kubernetes.io/unreachable", "operator": "Exists",
                 "effect": "NoExecute", "tolerationSeconds": 1},
                {"key": "node.kubernetes.io/not-ready", "operator": "Exists",
                 "effect": "NoExecute", "tolerationSeconds": 1}],
              "containers": [{"name": "main", "image": "any", "command": ["sleep", "87603"]}]}}}}
        """);
    for (String name : List.of("stays", "goes")) {
      kubectl.awaitReady("pod/" + name);
    }
    kubectl.await("rs/moves", "jsonpath={.status.readyReplicas}=1");
    String moved = kubectl.run("get", "pods", "-l", "app=moves", "-o", "name").strip();
    assertThat(kubectl.field(moved, "{.spec.nodeName}")).isEqualTo("left");
    String stays = identity("stays");

    hosts.lan.cut(hosts.left);
    kubectl.await("node/left", "condition=Ready=Unknown");
    kubectl.await(
        "node/left",
        "jsonpath={.spec.taints[?(@.effect==\"NoExecute\")].key}=node.kubernetes.io/unreachable");
    kubectl.await(
        moved,
        "jsonpath={.status.conditions[?(@.type==\"DisruptionTarget\")].reason}=DeletionByTaintManager");
    kubectl.await("rs/moves", "jsonpath={.status.readyReplicas}=1");
    assertThat(kubectl.run("get", "pods", "-l", "app=moves", "-o", "wide"))
        .containsPattern("Terminating.* left ")
        .containsPattern("Running.* right ");
    kubectl.run("delete", "pod", "goes", "--wait=false");
    assertThat(kubectl.run("get", "pod", "goes")).contains("Terminating");
    assertThat(Processes.of("sleep 87601")).hasSize(1);
    assertThat(Processes.of("sleep 87602")).hasSize(1);
    assertThat(Processes.of("sleep 87603")).hasSize(2);

    hosts.lan.reconnect(hosts.left);
    kubectl.awaitReady("node/left");
    kubectl.awaitGone("pod/goes");
    kubectl.awaitGone(moved);
    assertThat(Processes.of("sleep 87602")).isEmpty();
    assertThat(Processes.of("sleep 87603")).hasSize(1);
    kubectl.awaitField("node/left", "{.spec.taints}", "");
    assertThat(identity("stays")).isEqualTo(stays);
    kubectl.run("delete", "rs/moves", "pod/stays");
  }

  @Test
  void aServerThatIsGoneForLongFindsWhatHappenedMeanwhile() throws IOException {
    kubectl.create(pod("outlives", hosts.left, "exec sleep 87611"));
    kubectl.create(pod("falters", hosts.right, "exec sleep 87612"));
    kubectl.awaitReady("pod/outlives");
    kubectl.awaitReady("pod/falters");
    String before = identity("outlives");
    hosts.killServer();
    // It is started again although nobody can be told, the second time after ten seconds.
    Processes.replace("sleep 87612");
    Processes.replace("sleep 87612");
    hosts.startServer();
    for (TestMachine node : List.of(hosts.left, hosts.right)) {
      kubectl.awaitReady("node/" + node.name());
    }
    kubectl.await("pod/falters", "jsonpath={.status.containerStatuses[0].restartCount}=2");
    assertThat(kubectl.field("pod/falters", "{..lastState.terminated.exitCode}")).isEqualTo("137");
    assertThat(identity("outlives")).isEqualTo(before);
    kubectl.run("delete", "pod", "outlives", "falters");
  }

  @Test
  void aNodeThatIsDeletedByHandRegistersAgainWithItsPods() throws IOException {
    kubectl.create(pod("keeps", hosts.right, "exec sleep 87621"));
    kubectl.awaitReady("pod/keeps");
    String before = identity("keeps");
    String uid = kubectl.field("node/right", "{.metadata.uid}");
    kubectl.run("delete", "node", "right");
    kubectl.await("node/right", "create");
    kubectl.awaitReady("node/right");
    assertThat(kubectl.field("node/right", "{.metadata.uid}")).isNotEqualTo(uid);
    assertThat(identity("keeps")).isEqualTo(before);
    hosts.lan.route(kubectl.field("node/right", "{.spec.podCIDR}"), hosts.right);
    kubectl.run("delete", "pod", "keeps");
  }

  /** Of an agent alone: where there is the controller, too, whoever is first ejects the pod. */
  @Test
  void aNodeRefusesAPodThatDoesNotTolerateItsTaint() throws IOException {
    kubectl.run("taint", "node", "left", "dedicated=db:NoExecute", "dedicated=web:NoSchedule");
    hosts.killServer();
    hosts.startServer("--controllers=*,-taint-eviction-controller");
    kubectl.awaitReady("node/left");
    kubectl.create(bound("stranger", "{\"key\": \"other\", \"operator\": \"Exists\"}"));
    kubectl.create(
        bound("guest", "{\"key\": \"dedicated\", \"value\": \"db\", \"effect\": \"NoExecute\"}"));
    kubectl.await("pod/stranger", "jsonpath={.status.phase}=Failed");
    assertThat(kubectl.field("pod/stranger", "{.status.reason}: {.status.message}"))
        .startsWith("TaintToleration: ");
    assertThat(kubectl.field("pod/stranger", "{.status.containerStatuses}")).isEmpty();
    kubectl.awaitReady("pod/guest");
    kubectl.run("delete", "pod", "stranger", "guest");
    kubectl.run("taint", "node", "left", "dedicated-");
    hosts.killServer();
    hosts.startServer();
    kubectl.awaitReady("node/left");
  }

  private static String bound(String name, String toleration) {
    return """
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {
      "nodeName": "left", "terminationGracePeriodSeconds": 1, "tolerations": [%s],
      "containers": [{"name": "main", "image": "any", "command": ["sleep", "1000"]}]}}
    """
        .formatted(name, toleration);
  }
}
