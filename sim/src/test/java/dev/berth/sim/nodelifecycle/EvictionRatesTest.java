package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.policy.node.HealthSettings;
import dev.berth.policy.node.ZoneSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
  private static void advance(LifecycleScene scene, long seconds, long restarts) {
    long left = seconds;
    while (restarts > 0 && left > restarts) {
      scene.advance(restarts);
      scene.restart();
      left -= restarts;
    }
    scene.advance(left);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 97})
  void aFewNodesAreEmptiedAtTheNormalRate(long restarts) {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 20)) {
      scene.advance(60);
      Instant began = scene.now();
      scene.silence("a", 6);
      advance(scene, 300, restarts);
      assertThat(scene.emptied.count()).isEqualTo(6);
      scene.emptied.assertApart(NORMAL);
      if (restarts == 0) {
        List<Duration> times = scene.emptied.since(began);
        assertThat(times.getFirst())
            .as("the first does not wait")
            .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(45));
        assertThat(times.getLast().minus(times.getFirst())).isEqualTo(NORMAL.multipliedBy(5));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 250})
  void fiftyFivePercentOfALargeZoneAreEmptiedAtTheSecondaryRate(long restarts) {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 60).zone("b", 5)) {
      scene.advance(60);
      scene.silence("a", 33);
      advance(scene, 1050, restarts);
      scene.emptied.assertApart(SECONDARY);
      assertThat(scene.emptied.count()).isBetween(restarts == 0 ? 10 : 7, 11);
      assertThat(scene.metrics())
          .contains("node_collector_zone_eviction_rate{zone=\"a\"} 0.01")
          .contains("node_collector_zone_size{zone=\"a\"} 60")
          .contains("node_collector_unhealthy_nodes_in_zone{zone=\"a\"} 33")
          .contains("node_collector_zone_health{zone=\"a\"} 45")
          .contains(
              "node_collector_zone_state_changes_total{zone=\"a\",state=\"PartialDisruption\"} 1");
      assertThat(scene.cluster.events("a0", "ZoneStateChanged"))
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
    try (LifecycleScene scene = new LifecycleScene().zone("a", 40).zone("b", 5)) {
      scene.advance(60);
      scene.silence("a", 22);
      advance(scene, 1200, restarts);
      assertThat(scene.ready("a0")).isEqualTo("Unknown");
      assertThat(scene.emptied.count()).isZero();
      assertThat(scene.metrics()).contains("node_collector_zone_eviction_rate{zone=\"a\"} 0");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 97})
  void aZoneThatIsWhollyDownIsEmptiedAtTheNormalRateWhileAnotherWorks(long restarts) {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 30).zone("b", 5)) {
      scene.advance(60);
      scene.silence("a", 30);
      advance(scene, 900, restarts);
      scene.emptied.assertApart(NORMAL);
      assertThat(scene.emptied.of("a")).isEqualTo(30);
      assertThat(scene.emptied.of("b")).isZero();
      if (restarts == 0) {
        assertThat(scene.metrics()).contains("node_collector_evictions_total{zone=\"a\"} 30");
        assertThat(scene.cluster.events("a0", "ZoneStateChanged"))
            .anySatisfy(
                note -> assertThat(note).contains("Zone a is now FullDisruption: 30 of 30"));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 97})
  void allZonesDownNothingIsEmptiedUntilOneNodeIsBack(long restarts) {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 10).zone("b", 10)) {
      scene.advance(60);
      scene.silence("a", 10);
      scene.silence("b", 10);
      advance(scene, 600, restarts);
      assertThat(scene.ready("b9")).isEqualTo("Unknown");
      assertThat(scene.emptied.count()).isZero();

      scene.hearts.resume("b0");
      Instant back = scene.now();
      scene.advance(39);
      assertThat(scene.emptied.count()).as("a full grace period first").isZero();
      advance(scene, 600, restarts);
      assertThat(scene.emptied.of("a")).as("a zone wholly down, another works").isEqualTo(10);
      assertThat(scene.emptied.of("b")).as("nine of ten, and small").isZero();
      scene.emptied.assertApart(NORMAL);
      assertThat(scene.emptied.since(back).getFirst())
          .isGreaterThanOrEqualTo(Duration.ofSeconds(40));
    }
  }

  @Test
  void whenTheLastZoneGoesDownEvictionsThatCountDownAreCalledOff() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 10).zone("b", 10)) {
      scene.advance(60);
      scene.silence("a", 10);
      scene.advance(70);
      assertThat(scene.emptied.of("a")).isPositive();
      scene.silence("b", 10);
      scene.advance(60);
      for (int i = 0; i < 10; i++) {
        assertThat(scene.taints("a" + i)).containsExactly("unreachable:NoSchedule");
        assertThat(scene.taints("b" + i)).containsExactly("unreachable:NoSchedule");
      }
      assertThat(scene.cluster.events("b0", "ZoneStateChanged"))
          .anySatisfy(note -> assertThat(note).contains("every zone is down"));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 70})
  void whenNodesReturnTheRateRisesAgainForTheRest(long restarts) {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 60).zone("b", 5)) {
      scene.advance(60);
      scene.silence("a", 40);
      advance(scene, 400, restarts);
      scene.emptied.assertApart(SECONDARY);
      for (int i = 20; i < 40; i++) {
        scene.hearts.resume("a" + i);
      }
      scene.cluster.settle();
      scene.emptied.forget();
      advance(scene, 600, restarts);
      scene.emptied.assertApart(NORMAL);
      for (int i = 0; i < 20; i++) {
        assertThat(scene.taints("a" + i))
            .containsExactly("unreachable:NoExecute", "unreachable:NoSchedule");
      }
      for (int i = 20; i < 60; i++) {
        assertThat(scene.taints("a" + i)).isEmpty();
      }
      assertThat(scene.cluster.events("a0", "ZoneStateChanged"))
          .anySatisfy(note -> assertThat(note).contains("Zone a is now Normal"));
    }
  }

  @Test
  void whenAZoneIsDisruptedTheLowerRateAppliesToThoseWhoWaitAlready() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 60).zone("b", 5)) {
      scene.advance(60);
      scene.silence("a", 20);
      scene.advance(75);
      assertThat(scene.emptied.count()).isBetween(3, 5);
      scene.silence("a", 40);
      scene.advance(45);
      Instant disrupted = scene.now();
      int before = scene.emptied.count();
      scene.advance(500);
      assertThat(scene.emptied.count() - before).isBetween(4, 5);
      assertThat(scene.emptied.since(disrupted).stream().filter(Duration::isPositive).toList())
          .hasSize(scene.emptied.count() - before);
    }
  }

  @Test
  void aNodeThatIsWellAgainLeavesTheQueue() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 20)) {
      scene.advance(60);
      scene.silence("a", 8);
      scene.advance(47);
      int before = scene.emptied.count();
      for (int i = 0; i < 8; i++) {
        scene.hearts.resume("a" + i);
      }
      scene.advance(600);
      assertThat(scene.emptied.count()).isEqualTo(before);
    }
  }

  /** A node that recovers takes its taint with it, and with it the trace of when it was put. */
  @Test
  void aRestartDoesNotHastenTheNextEvenIfTheLastOneIsWellAgain() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 20)) {
      scene.advance(60);
      scene.hearts.ready("a0", false);
      scene.advance(5);
      assertThat(scene.emptied.count()).isEqualTo(1);
      scene.hearts.ready("a0", true);
      scene.hearts.ready("a1", false);
      scene.restart();
      scene.advance(30);
      assertThat(scene.emptied.count()).isEqualTo(2);
      scene.emptied.assertApart(NORMAL);
    }
  }

  @Test
  void theRatesAndThresholdsAreSettings() {
    NodeLifecycleSettings settings =
        new NodeLifecycleSettings(
            Duration.ofSeconds(5), HealthSettings.DEFAULT, new ZoneSettings(0.5, 0.05, 0.3, 10));
    try (LifecycleScene scene = new LifecycleScene(1, settings).zone("a", 20).zone("b", 20)) {
      scene.advance(60);
      scene.silence("a", 4);
      scene.silence("b", 6);
      scene.advance(120);
      assertThat(scene.emptied.of("a")).isEqualTo(4);
      assertThat(scene.emptied.of("b")).isBetween(3L, 5L);
      scene.emptied.assertApart(Duration.ofSeconds(2));
    }
  }

  @Test
  void nodesWithoutZoneLabelsAreOneZone() {
    try (LifecycleScene scene = new LifecycleScene().zone("a", 3)) {
      for (int i = 0; i < 10; i++) {
        scene.hearts.add("n" + i, "");
      }
      scene.advance(60);
      for (int i = 0; i < 3; i++) {
        scene.hearts.silence("n" + i);
      }
      scene.advance(90);
      assertThat(scene.emptied.of("")).isEqualTo(3);
      scene.emptied.assertApart(NORMAL);
    }
  }
}
