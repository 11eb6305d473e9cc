package dev.berth.agent.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.fixture.TestNode;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.resource.ObjectName;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which pods a node does not let in, and what it says then. */
final class AdmissionTest {
  @TempDir private Path root;
  private TestNode node;

  @BeforeEach
  void begin() {
    node = new TestNode(root).start();
  }

  @AfterEach
  void end() {
    node.close();
  }

  private static String requesting(String cpu) {
    return "{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'%s'}}}]}"
        .formatted(cpu);
  }

  private void isRejected(String pod, String reason, String message) {
    assertThat(node.phase(pod)).isEqualTo("Failed");
    assertThat(node.status(pod).text("reason")).isEqualTo(reason);
    assertThat(node.status(pod).text("message")).isEqualTo("Pod was rejected: " + message);
    assertThat(node.runtime().running()).noneMatch(running -> running.startsWith(pod + "/"));
    assertThat(node.events(pod)).contains(reason + ": " + message);
  }

  @Test
  void whatDoesNotFitBesideOthersIsRejected() {
    node.pod("one", requesting("3"));
    node.pod("two", requesting("2"));

    isRejected(
        "two",
        "OutOfcpu",
        "Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000");
    node.delete("one");
    node.pod("three", requesting("4"));
    assertThat(node.phase("three")).isEqualTo("Running");
  }

  @Test
  void aPodWhoseGroupsTheRuntimeCannotLimitIsRejected() {
    node.pod("web", "{'securityContext':{'supplementalGroupsPolicy':'Strict'}}");
    isRejected(
        "web",
        "SupplementalGroupsPolicyNotSupported",
        "SupplementalGroupsPolicy=Strict is not supported in this node");
  }

  /** The scheduler has placed others by then, and would find them failed. */
  @Test
  void aPodThatWasDeletedByForceMakesRoomAtOnce() {
    node.runtime().deafToTerm("c");
    node.pod("one", requesting("3"));
    node.delete("one", 0);
    node.pod("two", requesting("2"));

    assertThat(node.phase("two")).isEqualTo("Running");
  }

  /** T4. */
  @Test
  void aPodThatDoesNotTolerateANoExecuteTaintIsRejected() {
    TestNode.done(
        node.admin()
            .patch(
                Target.of(Resources.NODES, ObjectName.of("n1")),
                PatchType.MERGE,
                tree("{'spec':{'taints':[{'key':'a','effect':'NoExecute'}]}}")));
    node.pod("web");

    isRejected(
        "web",
        "TaintToleration",
        "Predicate TaintToleration failed: node(s) had untolerated taint(s)");
    node.pod("brave", "{'tolerations':[{'key':'a','operator':'Exists'}]}");
    assertThat(node.phase("brave")).isEqualTo("Running");
  }

  @Test
  void aPodWaitsWhileTheNodeMayHaveTaintsThatAreNotKnownYet() {
    node.behind(true);
    node.pod("web");
    node.advanceSeconds(5);
    assertThat(node.phase("web")).isEqualTo("Pending");
    assertThat(node.status("web").has("containerStatuses")).isFalse();

    node.behind(false);
    node.advanceSeconds(1);
    assertThat(node.phase("web")).isEqualTo("Running");
  }

  @Test
  void underPressureNothingNewIsLetIn() {
    node.pressures().add("DiskPressure");
    node.pod("web");

    isRejected("web", "Evicted", "The node had condition: [DiskPressure]. ");
  }

  @Test
  void underPressureOfMemoryPodsThatRequestSomeAreLetIn() {
    node.pressures().add("MemoryPressure");
    node.pod("web", requesting("1"));
    node.pod("idle");

    assertThat(node.phase("web")).isEqualTo("Running");
    assertThat(node.phase("idle")).isEqualTo("Failed");
  }

  @Test
  void aPortOfTheNodeIsGivenOnce() {
    String port =
        "{'containers':[{'name':'c','image':'i','ports':[{'containerPort':80,'hostPort':8080}]}]}";
    node.pod("one", port);
    node.pod("two", port);

    isRejected(
        "two",
        "NodePorts",
        "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports");
    assertThat(node.runtime().sandboxSpec("one").ports()).hasSize(1);
  }

  @Test
  void aPodForAnotherOperatingSystemIsRejected() {
    node.pod("web", "{'os':{'name':'windows'}}");

    isRejected(
        "web", "PodOSNotSupported", "Failed to admit pod as the OS field doesn't match node OS");
  }

  @Test
  void onlySafeKernelParametersMayBeSet() {
    node.pod("bad", "{'securityContext':{'sysctls':[{'name':'kernel.msgmax','value':'1'}]}}");
    node.pod(
        "good", "{'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_syncookies','value':'1'}]}}");

    isRejected("bad", "SysctlForbidden", "forbidden sysctl: \"kernel.msgmax\" not allowlisted");
    assertThat(node.runtime().sandboxSpec("good").sysctls())
        .containsEntry("net.ipv4.tcp_syncookies", "1");
  }

  @Test
  void othersMakeWayForACriticalPod() {
    node.pod("small", requesting("1"));
    node.pod("large", requesting("3"));
    node.runtime().slowToStop("c", Duration.ofSeconds(5));
    node.pod(
        "vital",
        "{'priorityClassName':'system-node-critical','containers':[{'name':'v','image':'i',"
            + "'resources':{'requests':{'cpu':'2'}}}]}");
    assertThat(node.runtime().running()).contains("large/c").doesNotContain("vital/v");

    node.advanceSeconds(5);
    assertThat(node.runtime().running()).containsExactlyInAnyOrder("small/c", "vital/v");
    assertThat(node.status("large").text("reason")).isEqualTo("Preempting");
    assertThat(node.condition("large", "DisruptionTarget")).isEqualTo("True");
  }

  @Test
  void aRejectedPodCanBeDeleted() {
    node.pressures().add("DiskPressure");
    node.pod("web");
    node.delete("web");

    assertThat(node.exists("web")).isFalse();
    assertThat(node.agent().pods()).isEmpty();
  }
}
