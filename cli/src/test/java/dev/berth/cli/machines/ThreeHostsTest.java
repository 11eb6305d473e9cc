package dev.berth.cli.machines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server and two nodes on three machines with networks of their own, as users make them: joined
 * by the line of {@code berth token create}, cut off, restarted, drained. Needs root.
 */
@TestInstance(Lifecycle.PER_CLASS)
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

  @AfterEach
  void makeAsEver() throws IOException {
    hosts.makeAsEver();
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
    kubectl.awaitSaid(
        "from right",
        "exec",
        "web-left",
        "--",
        "python3",
        "-c",
        "import urllib.request as r; print(r.urlopen('http://%s:8080/index').read().decode())"
            .formatted(address));
    kubectl.awaitSaid("/index", "logs", "web-right");
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
    for (String pod : List.of("Terminating[^\\n]* left ", "Running[^\\n]* right ")) {
      kubectl.awaitSaid(pod, "get", "pods", "-l", "app=moves", "-o", "wide");
    }
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
    Processes.replace("/sleep 87612");
    Processes.replace("/sleep 87612");
    hosts.startServer();
    for (TestMachine node : List.of(hosts.left, hosts.right)) {
      kubectl.awaitReady("node/" + node.name());
    }
    kubectl.await("pod/falters", "jsonpath={.status.containerStatuses[0].restartCount}=2");
    assertThat(kubectl.field("pod/falters", "{..lastState.terminated.exitCode}")).isEqualTo("137");
    assertThat(identity("outlives")).isEqualTo(before);
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
  }

  /** N15: nobody knows that the machine is off, until somebody says so. */
  @Test
  void aStatefulSetOfAMachineThatIsOffRecoversElsewhereOnceThatIsSaid(@TempDir Path disk)
      throws IOException {
    kubectl.create(
        """
        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "disk"}, "spec": {
          "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
          "storageClassName": "", "hostPath": {"path": "%s"}}}
        """
            .formatted(disk));
    kubectl.create(
        """
        {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db"}, "spec": {
          "replicas": 1, "serviceName": "db", "selector": {"matchLabels": {"app": "db"}},
          "template": {"metadata": {"labels": {"app": "db"}}, "spec": {
            "terminationGracePeriodSeconds": 1,
            "affinity": {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
              {"weight": 100, "preference": {"matchExpressions": [
                {"key": "kubernetes.io/hostname", "operator": "In", "values": ["left"]}]}}]}},
            "tolerations": [{"key": "node.kubernetes.io/unreachable", "operator": "Exists",
              "effect": "NoExecute", "tolerationSeconds": 1}],
            "containers": [{"name": "main", "image": "any",
              "command": ["sh", "-c", "hostname >>/data/hosts; cat /proc/uptime >>/data/hosts; exec sleep 87631"],
              "volumeMounts": [{"name": "data", "mountPath": "/data"}]}]}},
          "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {
            "accessModes": ["ReadWriteOnce"], "storageClassName": "",
            "resources": {"requests": {"storage": "1Gi"}}}}]}}
        """);
    kubectl.await("pod/db-0", "create");
    kubectl.awaitReady("pod/db-0");
    assertThat(kubectl.field("pod/db-0", "{.spec.nodeName}")).isEqualTo("left");
    String first = kubectl.field("pod/db-0", "{.metadata.uid}");
    Await.until("what comes after its note", () -> Processes.of("/sleep 87631").size() == 1);

    hosts.lan.cut(hosts.left);
    hosts.agent(hosts.left).kill();
    Processes.of("sleep 87631").forEach(ProcessHandle::destroyForcibly);
    kubectl.await("node/left", "condition=Ready=Unknown");
    kubectl.await(
        "pod/db-0",
        "jsonpath={.status.conditions[?(@.type==\"DisruptionTarget\")].reason}=DeletionByTaintManager");
    kubectl.awaitSaid(
        "db-0 [^\\n]*Terminating[^\\n]* left ", "get", "pods", "-l", "app=db", "-o", "wide");
    assertThat(kubectl.field("pod/db-0", "{.metadata.uid}")).isEqualTo(first);

    kubectl.run("taint", "node", "left", "node.kubernetes.io/out-of-service=off:NoExecute");
    Await.until("db-0 on right", () -> Processes.of("/sleep 87631").size() == 1);
    kubectl.awaitReady("pod/db-0");
    assertThat(kubectl.field("pod/db-0", "{.spec.nodeName}")).isEqualTo("right");
    assertThat(kubectl.field("pod/db-0", "{.metadata.uid}")).isNotEqualTo(first);
    assertThat(
            kubectl.run("exec", "db-0", "--", "cat", "/data/hosts").lines().filter("db-0"::equals))
        .as("what both wrote")
        .hasSize(2);

    hosts.lan.reconnect(hosts.left);
    hosts.startAgent(hosts.left);
    kubectl.awaitReady("node/left");
    kubectl.run("taint", "node", "left", "node.kubernetes.io/out-of-service-");
    kubectl.awaitField("node/left", "{.spec.taints}", "");
    kubectl.create(pod("again", hosts.left, "exec sleep 87632"));
    kubectl.awaitReady("pod/again");
    Await.until("nothing of the first db-0", () -> Leftovers.cgroups(first).isEmpty());
    assertThat(kubectl.field("pod/db-0", "{.spec.nodeName}")).isEqualTo("right");
  }

  /** N13 without systemd, and D2: a node that drains gets no daemon pod that it would refuse. */
  @Test
  void aNodeIsDrainedAndStoppedAndStartedAgain() throws IOException {
    kubectl.create(
        pod("regular", hosts.right, "trap 'sleep 1; exit' TERM; while :; do sleep 0.1; done"));
    kubectl.create(
        """
        {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "on-all"}, "spec": {
          "selector": {"matchLabels": {"app": "on-all"}}, "template": {
            "metadata": {"labels": {"app": "on-all"}}, "spec": {
              "terminationGracePeriodSeconds": 1, "priorityClassName": "system-node-critical",
              "containers": [{"name": "main", "image": "any", "command": ["sleep", "87641"]}]}}}}
        """);
    kubectl.awaitReady("pod/regular");
    kubectl.await("ds/on-all", "jsonpath={.status.numberReady}=2");
    String data = "--data=" + hosts.right.data();
    BerthOn.Answer wrong =
        hosts.right.answer("node", "drain-and-stop", data, "--shutdown-grace-period=soon");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.text())
        .isEqualTo(
            "berth: --shutdown-grace-period must be a duration such as 40s, 1m30s or 500ms, greater"
                + " than 0, not \"soon\".\n");

    BerthOn.Answer drained =
        hosts.right.answer(
            "node",
            "drain-and-stop",
            data,
            "--shutdown-grace-period=310s",
            "--shutdown-grace-period-critical-pods=10s");
    assertThat(drained.code()).as(drained.text()).isZero();
    // What is left of the first range's 300 s depends on how soon the agent knew its pods.
    assertThat(drained.text().replaceAll("(priority 0 and above), [0-9.]+s at most", "$1").lines())
        .containsSubsequence(
            "The node \"right\" takes no new pods.",
            "Ending 1 pod of priority 0 and above.",
            "Ending 1 pod of priority 2000000000 and above, 10s at most.",
            "The node \"right\" has stopped; none of its pods runs.");
    assertThat(hosts.agent(hosts.right).ended()).isZero();
    assertThat(kubectl.field("node/right", "{.status.conditions[?(@.type==\"Ready\")].message}"))
        .isIn("node is shutting down", "Kubelet stopped posting node status.");
    assertThat(kubectl.field("pod/regular", "{.status.phase} {.status.reason}"))
        .isEqualTo("Failed Terminated");
    BerthOn.Answer status = hosts.right.answer("node", "status", data);
    assertThat(status.code()).isEqualTo(3);
    assertThat(status.text())
        .isEqualTo(
            "berth: No agent is running in %s: start it with \"berth node\" or \"berth up\".\n"
                .formatted(hosts.right.data()));
    // One each: the one that was ended is still there, and no other was refused.
    assertThat(kubectl.run("get", "pods", "-l", "app=on-all", "-o", "name").lines()).hasSize(2);

    hosts.startAgent(hosts.right);
    kubectl.awaitReady("node/right");
    kubectl.await("ds/on-all", "jsonpath={.status.numberReady}=2");
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
