package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.node.HealthSettings;
import dev.berth.policy.node.ZoneSettings;
import dev.berth.sim.InterceptedApi;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows T9 and N10: how fast nodes get the taint that empties them. Those with a parameter are run
 * once undisturbed, and once with the controller restarted every so many seconds.
 */
class EvictionRatesTest {
  private static final Duration NORMAL = Duration.ofSeconds(10);
  private static final Duration SECONDARY = Duration.ofSeconds(100);

  /** Lets time pass; the controller is restarted every so many seconds, if that is not 0. */
  private static void advance(NodeLifecycleFixture fixture, long seconds, long restarts) {
    long left = seconds;
    while (restarts > 0 && left > restarts) {
      fixture.advance(restarts);
      fixture.restart();
      left -= restarts;
    }
    fixture.advance(left);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 97})
  void aFewNodesAreEmptiedAtTheNormalRate(long restarts) {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 20)) {
      fixture.advance(60);
      Instant began = fixture.now();
      fixture.silence("a", 6);
      advance(fixture, 300, restarts);
      assertThat(fixture.taintedNodes.count()).isEqualTo(6);
      fixture.taintedNodes.assertApart(NORMAL);
      if (restarts == 0) {
        List<Duration> times = fixture.taintedNodes.since(began);
        assertThat(times.getFirst())
            .as("the first does not wait")
            .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(45));
        assertThat(times.getLast().minus(times.getFirst())).isEqualTo(NORMAL.multipliedBy(5));
      }
    }
  }

  /** A disk that answers too late has written all the same. */
  @Test
  void aNodeCountsThatWasTaintedThoughTheServerSaidThatItFailed() {
    UnaryOperator<Api> failing =
        server ->
            new InterceptedApi(
                server,
                (request, real) -> {
                  ApiResult result = real.send(request);
                  return result instanceof ApiResult.Done(JsonObject written)
                          && request.target().resource().equals(Resources.NODES)
                          && TaintedNodes.isTainted(written)
                      ? new ApiResult.Refused(ApiError.of(500, "the disk did not answer in time"))
                      : result;
                });
    try (NodeLifecycleFixture fixture =
        new NodeLifecycleFixture(1, NodeLifecycleSettings.DEFAULT, failing).zone("a", 20)) {
      fixture.advance(60);
      fixture.silence("a", 6);
      fixture.advance(300);
      assertThat(fixture.taintedNodes.count()).isEqualTo(6);
      fixture.taintedNodes.assertApart(NORMAL);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 250})
  void fiftyFivePercentOfALargeZoneAreEmptiedAtTheSecondaryRate(long restarts) {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 60).zone("b", 5)) {
      fixture.advance(60);
      fixture.silence("a", 33);
      advance(fixture, 1050, restarts);
      fixture.taintedNodes.assertApart(SECONDARY);
      assertThat(fixture.taintedNodes.count()).isBetween(restarts == 0 ? 10 : 7, 11);
      assertThat(fixture.metrics())
          .contains("node_collector_zone_eviction_rate{zone=\"a\"} 0.01")
          .contains("node_collector_zone_size{zone=\"a\"} 60")
          .contains("node_collector_unhealthy_nodes_in_zone{zone=\"a\"} 33")
          .contains("node_collector_zone_health{zone=\"a\"} 45")
          .contains(
              "node_collector_zone_state_changes_total{zone=\"a\",state=\"PartialDisruption\"} 1");
      assertThat(fixture.cluster.events("a0", "ZoneStateChanged"))
          .anySatisfy(note ->
              assertThat(note)
                  .contains("Zone a is now PartialDisruption")
                  .contains("of 60 nodes unhealthy")
                  .contains("secondary rate of 0.01 a second"));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 130})
  void fiftyFivePercentOfASmallZoneAreNotEmptied(long restarts) {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 40).zone("b", 5)) {
      fixture.advance(60);
      fixture.silence("a", 22);
      advance(fixture, 1200, restarts);
      assertThat(fixture.ready("a0")).isEqualTo("Unknown");
      assertThat(fixture.taintedNodes.count()).isZero();
      assertThat(fixture.metrics()).contains("node_collector_zone_eviction_rate{zone=\"a\"} 0");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 97})
  void aZoneThatIsWhollyDownIsEmptiedAtTheNormalRateWhileAnotherWorks(long restarts) {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 30).zone("b", 5)) {
      fixture.advance(60);
      fixture.silence("a", 30);
      advance(fixture, 900, restarts);
      fixture.taintedNodes.assertApart(NORMAL);
      assertThat(fixture.taintedNodes.of("a")).isEqualTo(30);
      assertThat(fixture.taintedNodes.of("b")).isZero();
      if (restarts == 0) {
        assertThat(fixture.metrics()).contains("node_collector_evictions_total{zone=\"a\"} 30");
        assertThat(fixture.cluster.events("a0", "ZoneStateChanged"))
            .anySatisfy(
                note -> assertThat(note).contains("Zone a is now FullDisruption: 30 of 30"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 97})
  void allZonesDownNothingIsEmptiedUntilOneNodeIsBack(long restarts) {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 10).zone("b", 10)) {
      fixture.advance(60);
      fixture.silence("a", 10);
      fixture.silence("b", 10);
      advance(fixture, 600, restarts);
      assertThat(fixture.ready("b9")).isEqualTo("Unknown");
      assertThat(fixture.taintedNodes.count()).isZero();

      fixture.heartbeats.resume("b0");
      Instant back = fixture.now();
      fixture.advance(39);
      assertThat(fixture.taintedNodes.count()).as("a full grace period first").isZero();
      advance(fixture, 600, restarts);
      assertThat(fixture.taintedNodes.of("a"))
          .as("a zone wholly down, another works")
          .isEqualTo(10);
      assertThat(fixture.taintedNodes.of("b")).as("nine of ten, and small").isZero();
      fixture.taintedNodes.assertApart(NORMAL);
      assertThat(fixture.taintedNodes.since(back).getFirst())
          .isGreaterThanOrEqualTo(Duration.ofSeconds(40));
    }
  }

  @Test
  void whenTheLastZoneGoesDownEvictionsThatCountDownAreCalledOff() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 10).zone("b", 10)) {
      fixture.advance(60);
      fixture.silence("a", 10);
      fixture.advance(70);
      assertThat(fixture.taintedNodes.of("a")).isPositive();
      fixture.silence("b", 10);
      fixture.advance(60);
      for (int i = 0; i < 10; i++) {
        assertThat(fixture.taints("a" + i)).containsExactly("unreachable:NoSchedule");
        assertThat(fixture.taints("b" + i)).containsExactly("unreachable:NoSchedule");
      }
      assertThat(fixture.cluster.events("b0", "ZoneStateChanged"))
          .anySatisfy(note -> assertThat(note).contains("every zone is down"));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 70})
  void whenNodesReturnTheRateRisesAgainForTheRest(long restarts) {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 60).zone("b", 5)) {
      fixture.advance(60);
      fixture.silence("a", 40);
      advance(fixture, 400, restarts);
      fixture.taintedNodes.assertApart(SECONDARY);
      for (int i = 20; i < 40; i++) {
        fixture.heartbeats.resume("a" + i);
      }
      fixture.cluster.settle();
      fixture.taintedNodes.forget();
      advance(fixture, 600, restarts);
      fixture.taintedNodes.assertApart(NORMAL);
      for (int i = 0; i < 20; i++) {
        assertThat(fixture.taints("a" + i))
            .containsExactly("unreachable:NoExecute", "unreachable:NoSchedule");
      }
      for (int i = 20; i < 60; i++) {
        assertThat(fixture.taints("a" + i)).isEmpty();
      }
      assertThat(fixture.cluster.events("a0", "ZoneStateChanged"))
          .anySatisfy(note -> assertThat(note).contains("Zone a is now Normal"));
    }
  }

  @Test
  void whenAZoneIsDisruptedTheLowerRateAppliesToThoseWhoWaitAlready() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 60).zone("b", 5)) {
      fixture.advance(60);
      fixture.silence("a", 20);
      fixture.advance(75);
      assertThat(fixture.taintedNodes.count()).isBetween(3, 5);
      fixture.silence("a", 40);
      fixture.advance(45);
      Instant disrupted = fixture.now();
      int before = fixture.taintedNodes.count();
      fixture.advance(500);
      assertThat(fixture.taintedNodes.count() - before).isBetween(4, 5);
      assertThat(
              fixture.taintedNodes.since(disrupted).stream().filter(Duration::isPositive).toList())
          .hasSize(fixture.taintedNodes.count() - before);
    }
  }

  @Test
  void aNodeThatIsWellAgainLeavesTheQueue() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 20)) {
      fixture.advance(60);
      fixture.silence("a", 8);
      fixture.advance(47);
      int before = fixture.taintedNodes.count();
      for (int i = 0; i < 8; i++) {
        fixture.heartbeats.resume("a" + i);
      }
      fixture.advance(600);
      assertThat(fixture.taintedNodes.count()).isEqualTo(before);
    }
  }

  /** A node that recovers takes its taint with it, and with it the trace of when it was put. */
  @Test
  void aRestartDoesNotHastenTheNextEvenIfTheLastOneIsWellAgain() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 20)) {
      fixture.advance(60);
      fixture.heartbeats.ready("a0", false);
      fixture.advance(5);
      assertThat(fixture.taintedNodes.count()).isEqualTo(1);
      fixture.heartbeats.ready("a0", true);
      fixture.heartbeats.ready("a1", false);
      fixture.restart();
      fixture.advance(30);
      assertThat(fixture.taintedNodes.count()).isEqualTo(2);
      fixture.taintedNodes.assertApart(NORMAL);
    }
  }

  @Test
  void theRatesAndThresholdsAreSettings() {
    NodeLifecycleSettings settings =
        new NodeLifecycleSettings(
            Duration.ofSeconds(5), HealthSettings.DEFAULT, new ZoneSettings(0.5, 0.05, 0.3, 10));
    try (NodeLifecycleFixture fixture =
        new NodeLifecycleFixture(1, settings).zone("a", 20).zone("b", 20)) {
      fixture.advance(60);
      fixture.silence("a", 4);
      fixture.silence("b", 6);
      fixture.advance(120);
      assertThat(fixture.taintedNodes.of("a")).isEqualTo(4);
      assertThat(fixture.taintedNodes.of("b")).isBetween(3L, 5L);
      fixture.taintedNodes.assertApart(Duration.ofSeconds(2));
    }
  }

  @Test
  void nodesWithoutZoneLabelsAreOneZone() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("a", 3)) {
      for (int i = 0; i < 10; i++) {
        fixture.heartbeats.add("n" + i, "");
      }
      fixture.advance(60);
      for (int i = 0; i < 3; i++) {
        fixture.heartbeats.silence("n" + i);
      }
      fixture.advance(90);
      assertThat(fixture.taintedNodes.of("")).isEqualTo(3);
      fixture.taintedNodes.assertApart(NORMAL);
    }
  }

  /** With a lease of 144 s, a node is often not heard of for more than half its grace period. */
  @Test
  void nodesThatRenewSlowlyDoNotCountAsHalfLost() {
    try (NodeLifecycleFixture fixture = new NodeLifecycleFixture().zone("b", 5)) {
      for (int i = 0; i < 60; i++) {
        fixture.heartbeats.add("a" + i, "a", Duration.ZERO, Duration.ofSeconds(36));
        // So that at any time some have not been heard of for long.
        fixture.cluster.advance(Duration.ofMillis(600));
      }
      fixture.advance(60);
      fixture.silence("a", 18);
      fixture.advance(60 + 10 * 18);
      assertThat(fixture.taintedNodes.of("a")).isEqualTo(18);
      fixture.taintedNodes.assertApart(NORMAL);
    }
  }
}
