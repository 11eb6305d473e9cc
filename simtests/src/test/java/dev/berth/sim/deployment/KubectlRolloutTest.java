package dev.berth.sim.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.deployment.DeploymentController;
import dev.berth.controllers.replicaset.ReplicaSetController;
import dev.berth.sim.WithServedCluster;
import dev.berth.sim.kubelet.RoundRobinBinder;
import dev.berth.sim.kubelet.TestKubelet;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deployments over HTTPS, rolled out, looked at and rolled back with {@code kubectl}. */
class KubectlRolloutTest extends WithServedCluster {
  private TestKubelet kubelet;

  @BeforeEach
  void start() {
    Duration soon = Duration.ofMillis(50);
    kubelet = cluster.run(TestKubelet.start(cluster.api(), cluster.time()));
    kubelet.starting(soon).stopping(soon);
    cluster.run(new RoundRobinBinder(cluster.api(), cluster.time(), kubelet, 3));
    cluster.run(ReplicaSetController.start(cluster.parts()));
    cluster.run(DeploymentController.start(cluster.parts()));
  }

  private void waitForRollout() {
    assertThat(kubectl.run("rollout", "status", "deployment/web", "--timeout=3m"))
        .contains("deployment \"web\" successfully rolled out");
  }

  private String images() {
    return kubectl.run("get", "deployment", "web", "-o", "jsonpath={.spec.template..image}");
  }

  @Test
  void anUpdateIsFollowedListedAndUndone() {
    kubectl.run("create", "deployment", "web", "--image=nginx:1", "--replicas=3");
    waitForRollout();
    kubectl.run("annotate", "deployment/web", "kubernetes.io/change-cause=first");
    // The controller passes it on to the ReplicaSet of that revision, unless there is another one.
    String cause = "--for=jsonpath={.metadata.annotations.kubernetes\\.io/change-cause}=first";
    kubectl.run("wait", "replicasets", "--all", cause, "--timeout=3m");

    kubectl.run("set", "image", "deployment/web", "nginx=nginx:2");
    waitForRollout();
    kubectl.run("annotate", "deployment/web", "kubernetes.io/change-cause=second");
    assertThat(kubectl.run("rollout", "history", "deployment/web"))
        .containsPattern("1 +first")
        .containsPattern("2 +(first|second)");
    assertThat(kubectl.run("rollout", "history", "deployment/web", "--revision=1"))
        .contains("nginx:1");

    assertThat(kubectl.run("rollout", "undo", "deployment/web")).contains("rolled back");
    waitForRollout();
    assertThat(images()).isEqualTo("nginx:1");
    assertThat(
            kubectl.run(
                "get",
                "deployment",
                "web",
                "-o",
                "jsonpath={.metadata.annotations.deployment\\.kubernetes\\.io/revision}"))
        .isEqualTo("3");
    assertThat(kubectl.run("describe", "deployment", "web"))
        .containsPattern("Replicas: +3 desired \\| 3 updated \\| 3 total \\| 3 available")
        .containsPattern("Available +True +MinimumReplicasAvailable")
        .containsPattern("Progressing +True +NewReplicaSetAvailable")
        .containsPattern("ScalingReplicaSet .*Scaled up replica set web-[a-z0-9]+ from 0 to 3");
    assertThat(kubectl.run("get", "deployment", "web")).containsPattern("web +3/3 +3 +3");
  }

  @Test
  void aPausedDeploymentWaitsForItsResumption() {
    kubectl.run("create", "deployment", "web", "--image=nginx:1", "--replicas=2");
    waitForRollout();
    kubectl.run("rollout", "pause", "deployment/web");
    kubectl.run("set", "image", "deployment/web", "nginx=nginx:2");
    assertThat(kubectl.run("scale", "deployment/web", "--replicas=4")).contains("scaled");
    kubectl.run(
        "wait", "deployment/web", "--for=jsonpath={.status.availableReplicas}=4", "--timeout=3m");
    assertThat(kubectl.run("get", "pods", "-o", "jsonpath={.items[*].spec.containers[0].image}"))
        .isEqualTo("nginx:1 nginx:1 nginx:1 nginx:1");

    kubectl.run("rollout", "resume", "deployment/web");
    waitForRollout();
    assertThat(kubectl.run("get", "replicasets", "-o", "jsonpath={.items[*].spec.replicas}"))
        .isIn("0 4", "4 0");
  }

  @Test
  void anUpdateThatCannotProgressIsToldAsAFailure() {
    kubelet.breaks("nginx:bad");
    kubectl.run("create", "deployment", "web", "--image=nginx:1", "--replicas=2");
    waitForRollout();
    kubectl.run("patch", "deployment", "web", "-p", "{\"spec\":{\"progressDeadlineSeconds\":2}}");
    kubectl.run("set", "image", "deployment/web", "nginx=nginx:bad");
    assertThat(kubectl.run("rollout", "status", "deployment/web", "--timeout=3m"))
        .contains("deployment \"web\" exceeded its progress deadline");

    kubectl.run("patch", "deployment", "web", "-p", "{\"spec\":{\"progressDeadlineSeconds\":600}}");
    kubectl.run("rollout", "undo", "deployment/web", "--to-revision=1");
    waitForRollout();
    assertThat(images()).isEqualTo("nginx:1");
  }

  @Test
  void aRestartReplacesEveryPod() {
    kubectl.run("create", "deployment", "web", "--image=nginx:1", "--replicas=2");
    waitForRollout();
    String before = kubectl.run("get", "pods", "-o", "name");
    kubectl.run("rollout", "restart", "deployment/web");
    waitForRollout();
    kubectl.run("wait", "--for=delete", before.lines().findFirst().orElseThrow(), "--timeout=3m");
    assertThat(kubectl.run("get", "pods", "-o", "name")).doesNotContain(before);
  }
}
