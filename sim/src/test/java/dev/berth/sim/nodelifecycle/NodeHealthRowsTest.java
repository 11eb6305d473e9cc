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
    try (LifecycleScene scene = new LifecycleScene().zone("a", 2)) {
      scene.advance(600);
      scene.hearts.resume("a0");
      scene.hearts.silence("a0");

      scene.advance(39);
      assertThat(scene.ready("a0")).isEqualTo("True");
      scene.advance(6);
      assertThat(scene.ready("a0")).isEqualTo("Unknown");
      assertThat(scene.ready("a1")).isEqualTo("True");
      assertThat(scene.cluster.events("a0", "NodeNotReady"))
          .containsExactly("Node a0 status is now: NodeNotReady");
    }
  }

  @Test
  void theConditionsThatTheNodeReportsBecomeUnknownAndTheNetworksDoesNot() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 2)) {
      scene.cluster.patchStatus(
          Resources.NODES,
          ObjectName.of("a0"),
          "{'status':{'conditions':%s}}"
              .formatted(
                  scene
                      .nodeTree("a0")
                      .object("status")
                      .array("conditions")
                      .append(
                          VirtualCluster.tree("{'type':'NetworkUnavailable','status':'False'}"))));
      scene.hearts.silence("a0");
      scene.advance(50);
      for (String type : List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure")) {
        assertThat(scene.condition("a0", type)).as(type).isEqualTo("Unknown");
      }
      assertThat(scene.condition("a0", "NetworkUnavailable")).isEqualTo("False");
    }
  }

  @Test
  void leasesAloneKeepANodeAlive() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 1)) {
      // Status is posted every five minutes only.
      scene.advance(290);
      assertThat(scene.ready("a0")).isEqualTo("True");
    }
  }

  @Test
  void aNodeThatNeverPostedItsStatusIsKeptAndHasTheLongerStartUpGrace() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 1)) {
      scene.cluster.create(Resources.NODES, "{'metadata':{'name':'manual'}}");
      scene.advance(59);
      assertThat(scene.ready("manual")).isEmpty();
      scene.advance(6);
      assertThat(scene.ready("manual")).isEqualTo("Unknown");
      assertThat(scene.taints("manual")).contains("unreachable:NoSchedule");
      scene.advance(3600);
      assertThat(scene.ready("manual")).as("it is still watched").isEqualTo("Unknown");
    }
  }

  /** The node's clock is wrong by days, and set back in between. */
  @ParameterizedTest
  @ValueSource(longs = {-3 * 86_400, 3 * 86_400})
  void aNodesClockSkewDoesNoHarm(long skew) {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 1)) {
      scene.hearts.add("skewed", "a", Duration.ofSeconds(skew));
      scene.advance(900);
      assertThat(scene.ready("skewed")).isEqualTo("True");
      scene.hearts.silence("skewed");
      scene.advance(50);
      assertThat(scene.ready("skewed")).isEqualTo("Unknown");
    }
  }

  @Test
  void theControllersOwnWritingIsNoSignOfLife() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 3)) {
      scene.hearts.silence("a0");
      scene.advance(50);
      String written = scene.nodeTree("a0").object("status").toString();
      scene.advance(900);
      assertThat(scene.nodeTree("a0").object("status")).hasToString(written);
    }
  }

  @Test
  void podsOfALostNodeGoNotReadyAtOnceAndTheirAgentMakesThemReadyAgain() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 2)) {
      scene.readyPod("lost", "a0");
      scene.readyPod("other", "a1");
      scene.hearts.silence("a0");
      while (scene.ready("a0").equals("True")) {
        assertThat(scene.isPodReady("lost")).isTrue();
        scene.advance(1);
      }
      assertThat(scene.isPodReady("lost")).as("in the same second").isFalse();
      assertThat(scene.isPodReady("other")).isTrue();
      assertThat(scene.cluster.events("lost", "NodeNotReady")).containsExactly("Node is not ready");

      // An agent may speak of its pods before it speaks of its node.
      scene.podReady("lost");
      scene.advance(2);
      assertThat(scene.isPodReady("lost")).isTrue();
      scene.hearts.resume("a0");
      scene.advance(60);
      assertThat(scene.isPodReady("lost")).isTrue();
      assertThat(scene.ready("a0")).isEqualTo("True");
    }
  }

  @Test
  void aPodThatIsHeardOfLateOnALostNodeGoesNotReadyToo() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 2)) {
      scene.hearts.silence("a0");
      scene.advance(50);
      scene.cluster.create(
          Resources.PODS,
          "{'metadata':{'namespace':'default','name':'late'},'spec':{'nodeName':'a0','containers':[{'name':'c','image':'i'}]}}");
      scene.podReady("late");
      scene.cluster.settle();
      assertThat(scene.cluster.admin().get(Resources.PODS, podName("late")).isDone()).isTrue();
      scene.restart();
      scene.advance(1);
      assertThat(scene.isPodReady("late")).isFalse();
    }
  }

  @Test
  void aPodThatBecomesReadyOnANodeThatStaysLostIsNotReadyAfterAll() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 2)) {
      scene.readyPod("p", "a0");
      scene.hearts.silence("a0");
      scene.advance(50);
      scene.podReady("p");
      scene.advance(39);
      assertThat(scene.isPodReady("p")).isTrue();
      scene.advance(2);
      assertThat(scene.isPodReady("p")).isFalse();
    }
  }

  /** A node that says itself that it is not ready still reports on its pods. */
  @Test
  void aNodeThatSaysItIsNotReadyKeepsItsPodsReadiness() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 2)) {
      scene.readyPod("p", "a0");
      scene.hearts.ready("a0", false);
      scene.advance(60);
      assertThat(scene.isPodReady("p")).isTrue();
    }
  }

  @Test
  void aControllerThatWasAwayForLongDeclaresNobodyLost() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 5)) {
      scene.cluster.crash(LifecycleScene.CONTROLLER);
      scene.hearts.silence("a0");
      scene.advance(3600);
      scene.restart();
      scene.advance(34);
      for (int i = 0; i < 5; i++) {
        assertThat(scene.ready("a" + i)).as("a" + i).isEqualTo("True");
      }
      scene.advance(11);
      assertThat(scene.ready("a0")).isEqualTo("Unknown");
      assertThat(scene.ready("a1")).isEqualTo("True");
    }
  }

  @Test
  void anotherNodeOfTheSameNameStartsAfresh() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 2)) {
      scene.hearts.silence("a0");
      scene.advance(50);
      scene.hearts.delete("a0");
      scene.hearts.add("a0", "a");
      scene.cluster.settle();
      assertThat(scene.taints("a0")).isEmpty();
      assertThat(scene.cluster.events("a0", "RemovingNode"))
          .containsExactly("Node a0 event: Removing Node a0 from Controller");
      assertThat(scene.cluster.events("a0", "RegisteredNode"))
          .contains("Node a0 event: Registered Node a0 in Controller");
    }
  }

  @Test
  void theMonitorPeriodAndTheGracePeriodsAreSettings() {
    HealthSettings patient =
        new HealthSettings(Duration.ofMinutes(5), Duration.ofMinutes(10), true, true);
    NodeLifecycleSettings settings =
        new NodeLifecycleSettings(Duration.ofSeconds(60), patient, ZoneSettings.DEFAULT);
    try (LifecycleScene scene = new LifecycleScene(1, settings).zone("a", 2)) {
      scene.hearts.resume("a0");
      scene.hearts.silence("a0");
      scene.advance(299);
      assertThat(scene.ready("a0")).isEqualTo("True");
      scene.advance(61);
      assertThat(scene.ready("a0")).isEqualTo("Unknown");
    }
  }

  @Test
  void theOlderLabelsFollowTodays() {
    try (LifecycleScene scene = new LifecycleScene()) {
      scene.cluster.create(
          Resources.NODES,
          "{'metadata':{'name':'n','labels':{'kubernetes.io/os':'linux','kubernetes.io/arch':'arm64','beta.kubernetes.io/arch':'amd64'}}}");
      scene.cluster.settle();
      assertThat(scene.nodeTree("n").object("metadata").object("labels").toString())
          .contains("\"beta.kubernetes.io/os\":\"linux\"")
          .contains("\"beta.kubernetes.io/arch\":\"arm64\"");
    }
  }
}
