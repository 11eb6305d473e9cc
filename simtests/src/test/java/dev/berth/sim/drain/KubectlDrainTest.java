package dev.berth.sim.drain;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.controllers.disruption.DisruptionController;
import dev.berth.controllers.endpointslice.EndpointSliceController;
import dev.berth.sim.WithServedCluster;
import dev.berth.sim.kubelet.TestKubelet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The real {@code kubectl drain}, with a disruption controller that knows its server by HTTPS. */
class KubectlDrainTest extends WithServedCluster {
  private TestKubelet kubelet;
  private SpareReplicas replicas;

  @BeforeEach
  void start() {
    cluster.run(DisruptionController.start(cluster.parts()));
    cluster.run(EndpointSliceController.start(cluster.parts()));
    kubelet = cluster.run(TestKubelet.start(cluster.api(), cluster.time()));
    replicas = cluster.run(new SpareReplicas(cluster.api(), cluster.time(), cluster.failures()));
    for (String node : new String[] {"n1", "n2", "spare"}) {
      create("apiVersion: v1\nkind: Node\nmetadata: {name: " + node + "}\n");
    }
  }

  private void create(String manifest) {
    Kubectl.Result result = kubectl.result("create", "-f", kubectl.file("m.yaml", manifest));
    assertThat(result.exitCode()).as(result.output()).isZero();
  }

  /** An owner that nobody acts for, since its controller does not run here. */
  private void owner(String kind, String name) {
    create(
        """
        apiVersion: apps/v1
        kind: %s
        metadata: {name: %s}
        spec:
          %s
          selector: {matchLabels: {app: %s}}
          template:
            metadata: {labels: {app: %s}}
            spec: {containers: [{name: c, image: i}]}
        """
            .formatted(kind, name, kind.equals("ReplicaSet") ? "replicas: 4" : "", name, name));
  }

  private String owned(String kind, String name) {
    String uid = kubectl.run("get", kind, name, "-o", "jsonpath={.metadata.uid}");
    return "{apiVersion: apps/v1, kind: %s, name: %s, uid: %s, controller: true}"
        .formatted(kind, name, uid);
  }

  private void pod(String name, String app, String node, String owner, String more) {
    create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, labels: {app: %s}, ownerReferences: [%s]}
        spec:
          nodeName: %s
          containers: [{name: c, image: i}]
        %s
        """
            .formatted(name, app, owner, node, more));
    waitFor("pod/" + name, "condition=Ready");
  }

  private void budget(int minAvailable) {
    create(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: guard}
        spec: {minAvailable: %d, selector: {matchLabels: {app: web}}}
        """
            .formatted(minAvailable));
    waitFor("pdb/guard", "jsonpath={.status.observedGeneration}=1");
  }

  private void waitFor(String object, String what) {
    assertThat(kubectl.run("wait", object, "--for=" + what, "--timeout=3m"))
        .contains("condition met");
  }

  private String pods() {
    return kubectl.run("get", "pods", "-o", "jsonpath={.items[*].metadata.name}");
  }

  private String cordoned(String node) {
    return kubectl.run("get", "node", node, "-o", "jsonpath={.spec.unschedulable}");
  }

  @Test
  void whatWouldBeLostIsRefusedUntilAFlagAllowsIt() {
    owner("DaemonSet", "agent");
    pod("agent-1", "agent", "n1", owned("DaemonSet", "agent"), "");
    pod("bare", "bare", "n1", "", "");
    owner("ReplicaSet", "web");
    String web = owned("ReplicaSet", "web");
    pod("scratch", "web", "n1", web, "  volumes: [{name: v, emptyDir: {}}]");

    Kubectl.Result refused = kubectl.result("drain", "n1");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.output())
        .contains("node/n1 cordoned")
        .contains("declare no controller (use --force to override): default/bare")
        .contains("DaemonSet-managed Pods (use --ignore-daemonsets to ignore): default/agent-1")
        .contains(
            "Pods with local storage (use --delete-emptydir-data to override):"
                + " default/scratch");
    assertThat(pods()).isEqualTo("agent-1 bare scratch");

    assertThat(kubectl.result("drain", "n1", "--ignore-daemonsets", "--force").output())
        .contains("--delete-emptydir-data to override")
        .doesNotContain("use --force to override");

    Kubectl.Result rehearsal =
        kubectl.result(
            "drain",
            "n1",
            "--ignore-daemonsets",
            "--force",
            "--delete-emptydir-data",
            "--dry-run=server");
    assertThat(rehearsal.exitCode()).as(rehearsal.output()).isZero();
    assertThat(rehearsal.output()).contains("node/n1 drained (server dry run)");
    assertThat(pods()).isEqualTo("agent-1 bare scratch");

    Kubectl.Result drained =
        kubectl.result("drain", "n1", "--ignore-daemonsets", "--force", "--delete-emptydir-data");
    assertThat(drained.exitCode()).as(drained.output()).isZero();
    assertThat(drained.output())
        .contains("ignoring DaemonSet-managed Pods: default/agent-1")
        .contains("pod/bare evicted", "pod/scratch evicted", "node/n1 drained");
    assertThat(pods()).contains("agent-1").doesNotContain("bare", "scratch");
    assertThat(cordoned("n1")).isEqualTo("true");
    assertThat(kubectl.run("uncordon", "n1")).contains("node/n1 uncordoned");
    assertThat(cordoned("n1")).isEmpty();
  }

  @Test
  void aSelectorAGracePeriodAndNoEviction() {
    owner("ReplicaSet", "web");
    owner("ReplicaSet", "db");
    pod("w1", "web", "n1", owned("ReplicaSet", "web"), "");
    pod("d1", "db", "n1", owned("ReplicaSet", "db"), "");
    budget(1);

    Kubectl.Result some =
        kubectl.result("drain", "n1", "--pod-selector=app=db", "--grace-period=7");
    assertThat(some.exitCode()).as(some.output()).isZero();
    assertThat(some.output()).contains("pod/d1 evicted").doesNotContain("w1");
    assertThat(kubelet.graces()).containsEntry("d1", 7L);

    Kubectl.Result tooLong = kubectl.result("drain", "n1", "--timeout=1s");
    assertThat(tooLong.exitCode()).isEqualTo(1);
    assertThat(tooLong.output()).contains("global timeout reached: 1s");
    assertThat(pods()).contains("w1");

    Kubectl.Result byForce = kubectl.result("drain", "n1", "--disable-eviction");
    assertThat(byForce.exitCode()).as(byForce.output()).isZero();
    assertThat(byForce.output()).contains("pod/w1 deleted", "node/n1 drained");
    assertThat(pods()).doesNotContain("w1");
  }

  @Test
  void aBudgetHoldsADrainUntilItIsRelaxed() throws IOException, InterruptedException {
    owner("ReplicaSet", "web");
    pod("w1", "web", "n1", owned("ReplicaSet", "web"), "");
    budget(1);
    Process drain = kubectl.begin("drain", "n1", "--timeout=3m");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(drain.getInputStream(), UTF_8))) {
      assertThat(readUntil(lines, "will retry after 5s"))
          .contains("Cannot evict pod as it would violate the pod's disruption budget.");
      kubectl.run("patch", "pdb", "guard", "-p", "{\"spec\":{\"minAvailable\":0}}");
      assertThat(readUntil(lines, "node/n1 drained")).contains("node/n1 drained");
    }
    assertThat(drain.waitFor()).isZero();
    assertThat(kubectl.run("get", "pdb", "guard")).containsPattern("guard +0 +N/A +\\d+ ");
  }

  @Test
  void aDrainThatIsCancelledLeavesTheNodeCordonedAndItsPods()
      throws IOException, InterruptedException {
    owner("ReplicaSet", "web");
    pod("w1", "web", "n1", owned("ReplicaSet", "web"), "");
    budget(1);
    Process drain = kubectl.begin("drain", "n1");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(drain.getInputStream(), UTF_8))) {
      readUntil(lines, "will retry after 5s");
      drain.destroy();
      drain.waitFor();
    }
    assertThat(kubectl.run("get", "node", "n1")).contains("SchedulingDisabled");
    assertThat(pods()).isEqualTo("w1");
    assertThat(kubectl.run("get", "pod", "w1", "-o", "jsonpath={.metadata.deletionTimestamp}"))
        .isEmpty();
    assertThat(kubectl.run("uncordon", "n1")).contains("node/n1 uncordoned");
    assertThat(kubectl.run("get", "node", "n1")).doesNotContain("SchedulingDisabled");
  }

  @Test
  void twoDrainsAtOnceTakeNoMoreThanTheBudgetAllows() throws InterruptedException, IOException {
    owner("ReplicaSet", "web");
    String web = owned("ReplicaSet", "web");
    for (int i = 1; i <= 4; i++) {
      pod("w" + i, "web", i % 2 == 0 ? "n1" : "n2", web, "");
    }
    budget(3);
    waitFor("pdb/guard", "jsonpath={.status.disruptionsAllowed}=1");
    replicas.beginToCount();
    Process first = kubectl.begin("drain", "n1", "--timeout=3m");
    Process second = kubectl.begin("drain", "n2", "--timeout=3m");
    String one = new String(first.getInputStream().readAllBytes(), UTF_8);
    String two = new String(second.getInputStream().readAllBytes(), UTF_8);
    assertThat(first.waitFor()).as(one).isZero();
    assertThat(second.waitFor()).as(two).isZero();
    assertThat(one).contains("pod/w2 evicted", "pod/w4 evicted", "node/n1 drained");
    assertThat(two).contains("pod/w1 evicted", "pod/w3 evicted", "node/n2 drained");
    assertThat(replicas.fewestHealthy()).isEqualTo(3);
  }

  @Test
  void aServiceShowsItsEndpoints() throws IOException {
    owner("ReplicaSet", "web");
    pod("w1", "web", "n1", owned("ReplicaSet", "web"), "");
    create(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: web}
        spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
        """);
    String selector = "-l=kubernetes.io/service-name=web";
    Process watch = kubectl.begin("get", "endpointslices", selector, "--watch");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(watch.getInputStream(), UTF_8))) {
      readUntil(lines, "IPv4 +8080 +10\\.1\\.0\\.1 ");
      assertThat(kubectl.run("describe", "service", "web"))
          .containsPattern("Endpoints: +10\\.1\\.0\\.1:8080");
      kubectl.run("drain", "n1");
      readUntil(lines, "IPv4 +8080 +10\\.1\\.0\\.2 ");
    } finally {
      watch.destroy();
    }
  }

  private static String readUntil(BufferedReader lines, String wanted) throws IOException {
    Pattern pattern = Pattern.compile(wanted);
    StringBuilder read = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      read.append(line).append('\n');
      if (pattern.matcher(line).find()) {
        return read.toString();
      }
    }
    throw new AssertionError("no line has " + wanted + ": " + read);
  }
}
