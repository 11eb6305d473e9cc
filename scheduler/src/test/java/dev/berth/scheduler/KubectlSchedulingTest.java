package dev.berth.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.apiserver.fixture.LocalServer;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.metrics.Metrics;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.time.WallTime;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scheduler that knows its server by HTTPS and a kubeconfig alone, seen with {@code kubectl}. */
class KubectlSchedulingTest {
  @TempDir Path directory;

  private final Queue<Object> failures = new ConcurrentLinkedQueue<>();
  private LocalServer server;
  private WallTime time;
  private HttpApi api;
  private Scheduler scheduler;
  private Kubectl kubectl;

  @BeforeEach
  void start() {
    server = LocalServer.open(directory);
    time = new WallTime(failures::add);
    api = new HttpApi(Kubeconfig.read(server.kubeconfig()).connection(), time, "scheduler");
    scheduler =
        Scheduler.start(
            new Scheduler.Parts(api, time, new Metrics(), ConfigurationReader.defaults(), "test"));
    scheduler.lead();
    kubectl = new Kubectl(directory, server.kubeconfig());
  }

  @AfterEach
  void stop() {
    scheduler.close();
    time.close();
    api.close();
    server.close();
    assertThat(failures).isEmpty();
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
              allocatable: {cpu: "2", memory: 4Gi, pods: "10"}
            """
                .formatted(name));
    kubectl.run("create", "-f", manifest);
    kubectl.run("taint", "node", name, "node.kubernetes.io/not-ready-");
  }

  private void pod(String name, String cpu) {
    kubectl.run(
        "run",
        name,
        "--image=nginx",
        "--overrides={\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"nginx\","
            + "\"resources\":{\"requests\":{\"cpu\":\""
            + cpu
            + "\"}}}]}}");
  }

  private void waitFor(String pod, String what) {
    assertThat(kubectl.run("wait", "pod/" + pod, "--for=" + what, "--timeout=3m"))
        .contains("condition met");
  }

  private static final String UNSCHEDULABLE =
      "jsonpath={.status.conditions[?(@.type==\"PodScheduled\")].reason}=Unschedulable";

  @Test
  void describeSaysWhereAPodWentAndWhy() {
    node("n1");
    pod("web", "1");
    waitFor("web", "condition=PodScheduled");
    waitFor("web", "jsonpath={.spec.nodeName}=n1");

    pod("large", "1500m");
    waitFor("large", UNSCHEDULABLE);
    String message =
        "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No"
            + " preemption victims found for incoming pod.";
    assertThat(kubectl.run("get", "pod", "large", "-o", "jsonpath={.status.conditions[*].message}"))
        .isEqualTo(message);
    kubectl.run("delete", "pod", "web", "--force");
    waitFor("large", "jsonpath={.spec.nodeName}=n1");

    for (String reason : List.of("FailedScheduling", "Scheduled")) {
      String told = "--field-selector=involvedObject.name=large,reason=" + reason;
      kubectl.run("wait", "--for=create", "event", told, "--timeout=3m");
    }
    assertThat(kubectl.run("describe", "pod", "large"))
        .containsPattern("Warning +FailedScheduling .*default-scheduler +\\Q" + message)
        .containsPattern("Normal +Scheduled .*Successfully assigned default/large to n1");
  }

  @Test
  void aTaintKeepsPodsAwayAndItsRemovalLetsThemIn() {
    node("n1");
    kubectl.run("taint", "node", "n1", "dedicated=gpu:NoSchedule");
    pod("web", "1");
    waitFor("web", UNSCHEDULABLE);
    assertThat(kubectl.run("get", "pod", "web", "-o", "jsonpath={.status.conditions[*].message}"))
        .startsWith("0/1 nodes are available: 1 node(s) had untolerated taint(s).");

    kubectl.run("taint", "node", "n1", "dedicated-");
    waitFor("web", "jsonpath={.spec.nodeName}=n1");

    kubectl.run("cordon", "n1");
    pod("late", "100m");
    waitFor("late", UNSCHEDULABLE);
    assertThat(kubectl.run("get", "pod", "late", "-o", "jsonpath={.status.conditions[*].message}"))
        .startsWith("0/1 nodes are available: 1 node(s) were unschedulable.");
    kubectl.run("uncordon", "n1");
    waitFor("late", "jsonpath={.spec.nodeName}=n1");
  }

  @Test
  void aSchedulerGoesOnWhenItsServerComesBack() {
    node("n1");
    pod("before", "1");
    waitFor("before", "jsonpath={.spec.nodeName}=n1");
    server.restart();
    // That the server was away is told, and no bug.
    pod("after", "1");
    waitFor("after", "jsonpath={.spec.nodeName}=n1");
    failures.removeIf(failure -> failure.toString().startsWith("cannot read "));
  }
}
