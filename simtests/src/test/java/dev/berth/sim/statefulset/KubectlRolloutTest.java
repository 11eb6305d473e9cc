package dev.berth.sim.statefulset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.controllers.daemonset.DaemonSetController;
import dev.berth.controllers.daemonset.DaemonSetSettings;
import dev.berth.controllers.statefulset.StatefulSetController;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.WithServedCluster;
import dev.berth.sim.kubelet.TestKubelet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DaemonSets and StatefulSets rolled out, undone and scaled with the real {@code kubectl}. */
class KubectlRolloutTest extends WithServedCluster {
  @BeforeEach
  void start() {
    cluster.schedule();
    cluster.run(
        DaemonSetController.start(
            cluster.parts(), DaemonSetSettings.DEFAULT, TolerationRules.STANDARD));
    cluster.run(StatefulSetController.start(cluster.parts()));
    cluster.run(TestKubelet.start(cluster.api(), cluster.time()));
    node("n1");
    node("n2");
  }

  private void node(String name) {
    String manifest =
        kubectl.file(
            name + ".yaml",
            """
            apiVersion: v1
            kind: Node
            metadata: {name: %s}
            status:
              allocatable: {cpu: "4", memory: 4Gi, pods: "10"}
              conditions: [{type: Ready, status: "True"}]
            """
                .formatted(name));
    kubectl.run("create", "-f", manifest);
    kubectl.run("taint", "node", name, "node.kubernetes.io/not-ready-");
  }

  private void create(String kind, String further) {
    String manifest =
        kubectl.file(
            "set.yaml",
            """
            apiVersion: apps/v1
            kind: %s
            metadata: {name: web}
            spec:
              selector: {matchLabels: {app: web}}
              %s
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: c, image: "image:1"}]}
            """
                .formatted(kind, further));
    assertThat(kubectl.run("create", "-f", manifest)).contains("created");
  }

  private String images() {
    return kubectl.run(
        "get", "pods", "-l", "app=web", "-o", "jsonpath={.items[*].spec.containers[0].image}");
  }

  private void rollOut(String set, String message) {
    Kubectl.Result result = kubectl.result("rollout", "status", set, "--timeout=3m");
    assertThat(result.output()).contains(message);
    assertThat(result.exitCode()).isZero();
  }

  @Test
  void aDaemonSetIsRolledOutAndUndone() {
    create("DaemonSet", "");
    rollOut("ds/web", "daemon set \"web\" successfully rolled out");
    assertThat(images()).isEqualTo("image:1 image:1");

    kubectl.run("annotate", "ds/web", "kubernetes.io/change-cause=the second");
    kubectl.run("set", "image", "ds/web", "c=image:2");
    rollOut("ds/web", "daemon set \"web\" successfully rolled out");
    assertThat(images()).isEqualTo("image:2 image:2");
    assertThat(kubectl.run("rollout", "history", "ds/web"))
        .containsPattern("1 +<none>")
        .containsPattern("2 +the second");
    assertThat(kubectl.run("rollout", "history", "ds/web", "--revision=1")).contains("image:1");

    assertThat(kubectl.run("rollout", "undo", "ds/web")).contains("rolled back");
    rollOut("ds/web", "successfully rolled out");
    assertThat(images()).isEqualTo("image:1 image:1");
    assertThat(kubectl.run("rollout", "history", "ds/web"))
        .containsPattern("2 +the second")
        .containsPattern("3 +<none>")
        .doesNotContainPattern("(?m)^1 ");
    assertThat(kubectl.run("get", "ds", "web")).containsPattern("web +2 +2 +2 +2 +2");
  }

  @Test
  void aDrainLeavesDaemonPodsOnlyIfToldTo() {
    create("DaemonSet", "");
    rollOut("ds/web", "successfully rolled out");
    Kubectl.Result refused = kubectl.result("drain", "n1");
    assertThat(refused.output())
        .contains("cannot delete DaemonSet-managed Pods (use --ignore-daemonsets to ignore)");
    assertThat(refused.exitCode()).isNotZero();
    assertThat(kubectl.run("drain", "n1", "--ignore-daemonsets"))
        .contains("ignoring DaemonSet-managed Pods")
        .contains("node/n1 drained");
    assertThat(images()).isEqualTo("image:1 image:1");

    // And on a cordoned node they come back.
    kubectl.run("delete", "pods", "-l", "app=web");
    while (!images().equals("image:1 image:1")) {
      // The status may still tell of those that were deleted, so they are looked for themselves.
    }
    rollOut("ds/web", "successfully rolled out");
  }

  @Test
  void aStatefulSetIsRolledOutUndoneAndScaled() {
    create("StatefulSet", "replicas: 2\n  serviceName: www");
    rollOut("sts/web", "partitioned roll out complete: 2 new pods");
    assertThat(images()).isEqualTo("image:1 image:1");

    kubectl.run("set", "image", "sts/web", "c=image:2");
    rollOut("sts/web", "partitioned roll out complete: 2 new pods have been updated");
    assertThat(images()).isEqualTo("image:2 image:2");
    assertThat(kubectl.run("rollout", "history", "sts/web"))
        .containsPattern("(?m)^1 ")
        .containsPattern("(?m)^2 ");

    assertThat(kubectl.run("rollout", "undo", "sts/web", "--to-revision=1"))
        .contains("rolled back");
    rollOut("sts/web", "partitioned roll out complete: 2 new pods have been updated");
    assertThat(images()).isEqualTo("image:1 image:1");

    assertThat(kubectl.run("scale", "sts/web", "--replicas=4")).contains("scaled");
    assertThat(
            kubectl.run(
                "wait", "sts/web", "--for=jsonpath={.status.readyReplicas}=4", "--timeout=3m"))
        .contains("condition met");
    assertThat(kubectl.run("get", "pods", "-o", "name").lines())
        .containsExactly("pod/web-0", "pod/web-1", "pod/web-2", "pod/web-3");
    kubectl.run("scale", "sts/web", "--replicas=1");
    assertThat(kubectl.run("wait", "pod/web-1", "--for=delete", "--timeout=3m"))
        .doesNotContain("timed out");
    assertThat(kubectl.run("get", "pods", "-o", "name").lines()).containsExactly("pod/web-0");
  }
}
