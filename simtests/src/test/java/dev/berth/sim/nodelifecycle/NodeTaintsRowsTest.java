package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.controllers.tainteviction.TaintEviction;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.node.HealthSettings;
import dev.berth.policy.node.ZoneSettings;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows T8 and T14: node problems become taints, and go with their cause. */
class NodeTaintsRowsTest {
  private static final NodeLifecycleSettings WITHOUT_NO_SCHEDULE =
      new NodeLifecycleSettings(
          Duration.ofSeconds(5),
          new HealthSettings(
              Duration.ofSeconds(40), Duration.ofSeconds(60), Duration.ofMinutes(5), true, false),
          ZoneSettings.DEFAULT);

  @ParameterizedTest
  @CsvSource({
    "MemoryPressure, memory-pressure",
    "DiskPressure,   disk-pressure",
    "PIDPressure,    pid-pressure"
  })
  void pressureBecomesATaintAtOnceAndGoesWithItsCause(String condition, String taint) {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 1)) {
      fixture.cluster.settle();
      fixture.heartbeats.pressure("a0", condition);
      fixture.cluster.settle();
      assertThat(fixture.taints("a0")).containsExactly(taint + ":NoSchedule");
      fixture.heartbeats.pressure("a0", "");
      fixture.cluster.settle();
      assertThat(fixture.taints("a0")).isEmpty();
    }
  }

  @Test
  void soDoesTheNetworks() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 1)) {
      network(fixture, "True");
      assertThat(fixture.taints("a0")).containsExactly("network-unavailable:NoSchedule");
      network(fixture, "False");
      assertThat(fixture.taints("a0")).isEmpty();
    }
  }

  private static void network(NodeLifecycleFixture fixture, String status) {
    fixture
        .cluster
        .admin()
        .patch(
            Target.of(Resources.NODES, ObjectName.of("a0")).subresource("status"),
            PatchType.STRATEGIC,
            VirtualCluster.tree(
                "{'status':{'conditions':[{'type':'NetworkUnavailable','status':'%s'}]}}"
                    .formatted(status)));
    fixture.cluster.settle();
  }

  @Test
  void aCordonedNodeIsUnschedulableAlsoFromTheBeginning() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 1)) {
      fixture.cluster.patch(
          Resources.NODES, ObjectName.of("a0"), "{'spec':{'unschedulable':true}}");
      fixture.cluster.create(
          Resources.NODES, "{'metadata':{'name':'n'},'spec':{'unschedulable':true}}");
      fixture.cluster.settle();
      assertThat(fixture.taints("a0")).containsExactly("unschedulable:NoSchedule");
      assertThat(fixture.taints("n")).contains("unschedulable:NoSchedule");
      fixture.cluster.patch(
          Resources.NODES, ObjectName.of("a0"), "{'spec':{'unschedulable':null}}");
      fixture.cluster.settle();
      assertThat(fixture.taints("a0")).isEmpty();
    }
  }

  @Test
  void aNewNodeIsTaintedNotReadyUntilItIsReady() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 1)) {
      fixture.cluster.create(Resources.NODES, "{'metadata':{'name':'n'}}");
      fixture.advance(30);
      assertThat(fixture.taints("n")).containsExactly("not-ready:NoSchedule");
      fixture.cluster.patchStatus(
          Resources.NODES,
          ObjectName.of("n"),
          "{'status':{'conditions':[{'type':'Ready','status':'True'}]}}");
      fixture.cluster.settle();
      assertThat(fixture.taints("n")).isEmpty();
    }
  }

  @Test
  void aNodeThatIsNotReadyIsTaintedTwiceAndSwapsWhenItIsLost() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 3)) {
      fixture.advance(60);
      fixture.heartbeats.ready("a0", false);
      fixture.cluster.settle();
      assertThat(fixture.taints("a0")).containsExactly("not-ready:NoSchedule");
      fixture.advance(5);
      assertThat(fixture.taints("a0"))
          .containsExactly("not-ready:NoExecute", "not-ready:NoSchedule");

      fixture.heartbeats.silence("a0");
      while (!fixture.ready("a0").equals("Unknown")) {
        fixture.advance(1);
      }
      assertThat(fixture.taints("a0"))
          .as("at once")
          .containsExactly("unreachable:NoExecute", "unreachable:NoSchedule");

      fixture.heartbeats.resume("a0");
      fixture.cluster.settle();
      assertThat(fixture.taints("a0"))
          .containsExactly("not-ready:NoExecute", "not-ready:NoSchedule");
      fixture.heartbeats.ready("a0", true);
      fixture.cluster.settle();
      assertThat(fixture.taints("a0")).isEmpty();
    }
  }

  /**
   * Each change would give the pods another five minutes, and the node would keep them for ever.
   */
  @Test
  void aNodeThatFlapsBetweenTheTwoLosesItsPods() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 3)) {
      fixture.cluster.run(
          "taint-eviction",
          () ->
              TaintEviction.start(
                  fixture.cluster.parts(TaintEviction.ACCOUNT), TolerationRules.STANDARD));
      fixture.readyPod("web", "a0");
      fixture.advance(60);
      fixture.heartbeats.ready("a0", false);
      fixture.advance(5);
      assertThat(fixture.taints("a0")).contains("not-ready:NoExecute");
      Instant tainted = fixture.now();

      while (Duration.between(tainted, fixture.now()).compareTo(Duration.ofSeconds(240)) < 0) {
        fixture.heartbeats.silence("a0");
        fixture.advance(50);
        assertThat(fixture.taints("a0")).contains("unreachable:NoExecute");
        fixture.heartbeats.resume("a0");
        fixture.advance(10);
        assertThat(fixture.taints("a0")).contains("not-ready:NoExecute");
      }
      assertThat(fixture.cluster.exists("web")).as("it tolerates both for 300 s").isTrue();
      fixture.advance(61);
      assertThat(fixture.cluster.exists("web")).isFalse();
    }
  }

  @Test
  void otherPeoplesTaintsStay() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 2)) {
      fixture.cluster.settle();
      fixture.cluster.taint(
          "a0",
          "[{'key':'mine','effect':'NoExecute'},{'key':'node.cloudprovider.kubernetes.io/uninitialized','value':'true','effect':'NoSchedule'}]");
      fixture.heartbeats.silence("a0");
      fixture.advance(60);
      assertThat(fixture.taints("a0"))
          .containsExactly(
              "mine:NoExecute",
              "node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule",
              "unreachable:NoExecute",
              "unreachable:NoSchedule");
      fixture.heartbeats.resume("a0");
      fixture.cluster.settle();
      assertThat(fixture.taints("a0"))
          .containsExactly(
              "mine:NoExecute", "node.cloudprovider.kubernetes.io/uninitialized=true:NoSchedule");
    }
  }

  @Test
  void withoutTaintNodesByConditionThereAreNoNoScheduleTaints() {
    try (NodeLifecycleFixture fixture =
        new NodeLifecycleFixture(1, WITHOUT_NO_SCHEDULE).zone("a", 3)) {
      for (int i = 0; i < 3; i++) {
        fixture.cluster.taint("a" + i, "null");
      }
      fixture.heartbeats.silence("a0");
      fixture.heartbeats.pressure("a1", "DiskPressure");
      fixture.advance(600);
      assertThat(fixture.taints("a0")).containsExactly("unreachable:NoExecute");
      assertThat(fixture.taints("a1")).isEmpty();
    }
  }
}
