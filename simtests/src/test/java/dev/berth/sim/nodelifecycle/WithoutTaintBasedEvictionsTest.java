package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.controllers.tainteviction.TaintEviction;
import dev.berth.policy.node.HealthSettings;
import dev.berth.policy.node.ZoneSettings;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code TaintBasedEvictions=false}: pods are evicted as before there were taints for that. */
class WithoutTaintBasedEvictionsTest {
  private static final NodeLifecycleSettings SETTINGS =
      new NodeLifecycleSettings(
          Duration.ofSeconds(5),
          new HealthSettings(
              Duration.ofSeconds(40), Duration.ofSeconds(60), Duration.ofMinutes(5), false, true),
          ZoneSettings.DEFAULT);

  private static NodeLifecycleFixture zone(int nodes) {
    return new NodeLifecycleFixture(1, SETTINGS).zone("a", nodes);
  }

  private static boolean isLeaving(NodeLifecycleFixture fixture, String pod) {
    return !fixture.cluster.exists(pod)
        || fixture.cluster.getPod(pod).object("metadata").has("deletionTimestamp");
  }

  private static List<String> leaving(NodeLifecycleFixture fixture, int pods) {
    return IntStream.range(0, pods)
        .mapToObj(i -> "p" + i)
        .filter(pod -> isLeaving(fixture, pod))
        .toList();
  }

  @Test
  void podsOfALostNodeAreEvictedAfterTheTimeoutWithoutATaint() {
    try (NodeLifecycleFixture fixture = zone(3)) {
      fixture.readyPod("p0", "a0");
      fixture.cluster.patch(
          Resources.PODS,
          VirtualCluster.podName("p0"),
          "{'metadata':{'finalizers':['example.com/stays']}}");
      fixture.heartbeats.silence("a0");
      fixture.advance(330);
      assertThat(isLeaving(fixture, "p0")).isFalse();
      fixture.advance(25);
      assertThat(isLeaving(fixture, "p0")).isTrue();
      assertThat(fixture.taints("a0")).containsExactly("unreachable:NoSchedule");
      assertThat(fixture.cluster.events("p0", "NodeControllerEviction"))
          .containsExactly("Marking for deletion Pod p0 from Node a0");
      assertThat(fixture.cluster.getPod("p0").object("status").text("reason"))
          .isEqualTo("NodeLost");
    }
  }

  @Test
  void thoseOfANodeThatSaysThatItIsNotReadyGoAsWell() {
    try (NodeLifecycleFixture fixture = zone(3)) {
      fixture.readyPod("p0", "a0");
      fixture.heartbeats.ready("a0", false);
      fixture.advance(295);
      assertThat(isLeaving(fixture, "p0")).isFalse();
      fixture.advance(25);
      assertThat(isLeaving(fixture, "p0")).isTrue();
    }
  }

  @Test
  void aNodeThatComesBackInTimeKeepsItsPods() {
    try (NodeLifecycleFixture fixture = zone(3)) {
      fixture.readyPod("p0", "a0");
      fixture.heartbeats.silence("a0");
      fixture.advance(300);
      fixture.heartbeats.resume("a0");
      fixture.advance(600);
      assertThat(isLeaving(fixture, "p0")).isFalse();
    }
  }

  @Test
  void thoseOfDaemonSetsStayAndLatecomersGoAtOnce() {
    try (NodeLifecycleFixture fixture = zone(3)) {
      fixture.cluster.create(
          Resources.PODS,
          """
          {'metadata':{'name':'daemon','namespace':'default','ownerReferences':[{'apiVersion':'apps/v1',
          'kind':'DaemonSet','name':'d','uid':'u','controller':true}]},
          'spec':{'nodeName':'a0','containers':[{'name':'c','image':'i'}]}}\
          """);
      fixture.readyPod("p0", "a0");
      fixture.heartbeats.silence("a0");
      fixture.advance(400);
      assertThat(isLeaving(fixture, "p0")).isTrue();
      assertThat(isLeaving(fixture, "daemon")).isFalse();
      fixture.cluster.pod("p1", "100m", "{'nodeName':'a0'}");
      fixture.cluster.settle();
      assertThat(isLeaving(fixture, "p1")).isTrue();
    }
  }

  @Test
  void nodesAreEmptiedAtTheRateOfTheirZone() {
    try (NodeLifecycleFixture fixture = zone(20)) {
      for (int i = 0; i < 6; i++) {
        fixture.readyPod("p" + i, "a" + i);
      }
      fixture.advance(30);
      fixture.silence("a", 6);
      fixture.advance(330);
      assertThat(leaving(fixture, 6)).isEmpty();
      while (leaving(fixture, 6).isEmpty()) {
        fixture.advance(1);
      }
      for (int emptied = 1; emptied <= 6; emptied++) {
        assertThat(leaving(fixture, 6)).hasSize(emptied);
        fixture.advance(10);
      }
    }
  }

  @Test
  void aRestartNeitherBeginsTheTimeoutAnewNorExceedsTheRate() {
    try (NodeLifecycleFixture fixture = zone(20)) {
      for (int i = 0; i < 6; i++) {
        fixture.readyPod("p" + i, "a" + i);
      }
      fixture.silence("a", 6);
      fixture.advance(340);
      int before = leaving(fixture, 6).size();
      assertThat(before).isZero();
      for (int i = 0; i < 12; i++) {
        fixture.restart();
        int had = leaving(fixture, 6).size();
        fixture.advance(15);
        assertThat(leaving(fixture, 6).size() - had).isLessThanOrEqualTo(1);
      }
      assertThat(leaving(fixture, 6)).hasSize(6);
    }
  }

  @Test
  void nobodyIsEvictedWhileEveryZoneIsDown() {
    try (NodeLifecycleFixture fixture = zone(3)) {
      fixture.readyPod("p0", "a0");
      fixture.silence("a", 3);
      fixture.advance(1_000);
      assertThat(isLeaving(fixture, "p0")).isFalse();
    }
  }

  @Test
  void taintsThatUsersSetStillEvict() {
    try (NodeLifecycleFixture fixture = zone(3)) {
      VirtualCluster cluster = fixture.cluster;
      cluster.run(
          "tainteviction",
          () ->
              TaintEviction.start(cluster.parts(TaintEviction.ACCOUNT), TolerationRules.STANDARD));
      fixture.readyPod("p0", "a0");
      cluster.taint("a0", "[{'key':'mine','effect':'NoExecute'}]");
      cluster.settle();
      assertThat(isLeaving(fixture, "p0")).isTrue();
    }
  }
}
