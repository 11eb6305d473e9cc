package dev.berth.sim.nodelifecycle;

import static dev.berth.sim.VirtualCluster.podName;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.node.HealthSettings;
import dev.berth.policy.node.ZoneSettings;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows N1, N7 and N8: who is heard of, who is lost, and what becomes of their pods. */
class NodeHealthRowsTest {

  /** Leases are renewed every 10 s, so the last sign of life is up to 10 s before the silence. */
  @Test
  void aNodeIsUnknownAfterFortySecondsOfSilenceAndNotBefore() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 2)) {
      fixture.advance(600);
      fixture.heartbeats.resume("a0");
      fixture.heartbeats.silence("a0");

      fixture.advance(39);
      assertThat(fixture.ready("a0")).isEqualTo("True");
      fixture.advance(6);
      assertThat(fixture.ready("a0")).isEqualTo("Unknown");
      assertThat(fixture.ready("a1")).isEqualTo("True");
      assertThat(fixture.cluster.events("a0", "NodeNotReady"))
          .containsExactly("Node a0 status is now: NodeNotReady");
    }
  }

  @Test
  void theConditionsThatTheNodeReportsBecomeUnknownAndTheNetworksDoesNot() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 2)) {
      fixture.cluster.patchStatus(
          Resources.NODES,
          ObjectName.of("a0"),
          "{'status':{'conditions':%s}}"
              .formatted(
                  fixture
                      .nodeTree("a0")
                      .object("status")
                      .array("conditions")
                      .append(
                          VirtualCluster.tree("{'type':'NetworkUnavailable','status':'False'}"))));
      fixture.heartbeats.silence("a0");
      fixture.advance(50);
      for (String type : List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure")) {
        assertThat(fixture.condition("a0", type)).as(type).isEqualTo("Unknown");
      }
      assertThat(fixture.condition("a0", "NetworkUnavailable")).isEqualTo("False");
    }
  }

  @Test
  void leasesAloneKeepANodeAlive() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 1)) {
      // Status is posted every five minutes only.
      fixture.advance(290);
      assertThat(fixture.ready("a0")).isEqualTo("True");
    }
  }

  @Test
  void aNodeThatNeverPostedItsStatusIsKeptAndHasTheLongerStartUpGrace() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 1)) {
      fixture.cluster.create(Resources.NODES, "{'metadata':{'name':'manual'}}");
      fixture.advance(59);
      assertThat(fixture.ready("manual")).isEmpty();
      fixture.advance(6);
      assertThat(fixture.ready("manual")).isEqualTo("Unknown");
      assertThat(fixture.taints("manual")).contains("unreachable:NoSchedule");
      fixture.advance(3600);
      assertThat(fixture.ready("manual")).as("it is still watched").isEqualTo("Unknown");
    }
  }

  /** The node's clock is wrong by days, and set back in between. */
  @ParameterizedTest
  @ValueSource(longs = {-3 * 86_400, 3 * 86_400})
  void aNodesClockSkewDoesNoHarm(long skew) {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 1)) {
      fixture.heartbeats.add("skewed", "a", Duration.ofSeconds(skew));
      fixture.advance(900);
      assertThat(fixture.ready("skewed")).isEqualTo("True");
      fixture.heartbeats.silence("skewed");
      fixture.advance(50);
      assertThat(fixture.ready("skewed")).isEqualTo("Unknown");
    }
  }

  @Test
  void theControllersOwnWritingIsNoSignOfLife() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 3)) {
      fixture.heartbeats.silence("a0");
      fixture.advance(50);
      String written = fixture.nodeTree("a0").object("status").toString();
      fixture.advance(900);
      assertThat(fixture.nodeTree("a0").object("status")).hasToString(written);
    }
  }

  @Test
  void podsOfALostNodeGoNotReadyAtOnceAndTheirAgentMakesThemReadyAgain() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 2)) {
      fixture.readyPod("lost", "a0");
      fixture.readyPod("other", "a1");
      fixture.heartbeats.silence("a0");
      while (fixture.ready("a0").equals("True")) {
        assertThat(fixture.isPodReady("lost")).isTrue();
        fixture.advance(1);
      }
      assertThat(fixture.isPodReady("lost")).as("in the same second").isFalse();
      assertThat(fixture.isPodReady("other")).isTrue();
      assertThat(fixture.cluster.events("lost", "NodeNotReady"))
          .containsExactly("Node is not ready");

      // An agent may speak of its pods before it speaks of its node.
      fixture.podReady("lost");
      fixture.advance(2);
      assertThat(fixture.isPodReady("lost")).isTrue();
      fixture.heartbeats.resume("a0");
      fixture.advance(60);
      assertThat(fixture.isPodReady("lost")).isTrue();
      assertThat(fixture.ready("a0")).isEqualTo("True");
    }
  }

  @Test
  void aPodThatIsHeardOfLateOnALostNodeGoesNotReadyToo() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 2)) {
      fixture.heartbeats.silence("a0");
      fixture.advance(50);
      fixture.cluster.create(
          Resources.PODS,
          "{'metadata':{'namespace':'default','name':'late'},'spec':{'nodeName':'a0','containers':[{'name':'c','image':'i'}]}}");
      fixture.podReady("late");
      fixture.cluster.settle();
      assertThat(fixture.cluster.admin().get(Resources.PODS, podName("late")).isDone()).isTrue();
      fixture.restart();
      fixture.advance(1);
      assertThat(fixture.isPodReady("late")).isFalse();
    }
  }

  @Test
  void aPodThatBecomesReadyOnANodeThatStaysLostIsNotReadyAfterAll() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 2)) {
      fixture.readyPod("p", "a0");
      fixture.heartbeats.silence("a0");
      fixture.advance(50);
      fixture.podReady("p");
      fixture.advance(39);
      assertThat(fixture.isPodReady("p")).isTrue();
      fixture.advance(2);
      assertThat(fixture.isPodReady("p")).isFalse();
    }
  }

  @Test
  void aControllerThatWasAwayForLongDeclaresNobodyLost() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 5)) {
      fixture.cluster.crash(NodeLifecycleFixture.CONTROLLER);
      fixture.heartbeats.silence("a0");
      fixture.advance(3600);
      fixture.restart();
      fixture.advance(34);
      for (int i = 0; i < 5; i++) {
        assertThat(fixture.ready("a" + i)).as("a" + i).isEqualTo("True");
      }
      fixture.advance(11);
      assertThat(fixture.ready("a0")).isEqualTo("Unknown");
      assertThat(fixture.ready("a1")).isEqualTo("True");
    }
  }

  @Test
  void anotherNodeOfTheSameNameStartsAfresh() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 2)) {
      fixture.heartbeats.silence("a0");
      fixture.advance(50);
      fixture.heartbeats.delete("a0");
      fixture.heartbeats.add("a0", "a");
      fixture.cluster.settle();
      assertThat(fixture.taints("a0")).isEmpty();
      assertThat(fixture.cluster.events("a0", "RemovingNode"))
          .containsExactly("Node a0 event: Removing Node a0 from Controller");
      assertThat(fixture.cluster.events("a0", "RegisteredNode"))
          .contains("Node a0 event: Registered Node a0 in Controller");
    }
  }

  @Test
  void theMonitorPeriodAndTheGracePeriodsAreSettings() {
    HealthSettings patient =
        new HealthSettings(
            Duration.ofMinutes(5), Duration.ofMinutes(10), Duration.ofMinutes(5), true, true);
    NodeLifecycleSettings settings =
        new NodeLifecycleSettings(Duration.ofSeconds(60), patient, ZoneSettings.DEFAULT);
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture(1, settings).zone("a", 2)) {
      fixture.heartbeats.resume("a0");
      fixture.heartbeats.silence("a0");
      fixture.advance(299);
      assertThat(fixture.ready("a0")).isEqualTo("True");
      fixture.advance(61);
      assertThat(fixture.ready("a0")).isEqualTo("Unknown");
    }
  }

  @Test
  void theOlderLabelsFollowTodays() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture()) {
      fixture.cluster.create(
          Resources.NODES,
          "{'metadata':{'name':'n','labels':{'kubernetes.io/os':'linux','kubernetes.io/arch':'arm64','beta.kubernetes.io/arch':'amd64'}}}");
      fixture.cluster.settle();
      assertThat(fixture.nodeTree("n").object("metadata").object("labels").toString())
          .contains("\"beta.kubernetes.io/os\":\"linux\"")
          .contains("\"beta.kubernetes.io/arch\":\"arm64\"");
    }
  }

  /** Its agent is there, and may say otherwise of its pods; then they stay so. */
  @Test
  void thePodsOfANodeThatSaysThatItIsNotReadyAreNotReady() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 2)) {
      fixture.readyPod("p", "a0");
      fixture.readyPod("other", "a1");
      fixture.advance(5);
      fixture.heartbeats.ready("a0", false);
      fixture.cluster.settle();
      assertThat(fixture.isPodReady("p")).isFalse();
      assertThat(fixture.isPodReady("other")).isTrue();

      fixture.podReady("p");
      fixture.advance(60);
      assertThat(fixture.isPodReady("p")).isTrue();

      fixture.heartbeats.silence("a0");
      fixture.advance(60);
      assertThat(fixture.isPodReady("p")).as("the node is lost").isFalse();
    }
  }
}
