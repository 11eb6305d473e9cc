package dev.berth.sim.nodelifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.nodelifecycle.NodeLifecycleSettings;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * A zone is lost, and the controller crashes every so often, in some histories after a tenth of a
 * second, in others after a minute. The zone's nodes are emptied at the rate that is allowed: never
 * faster, and hardly more slowly.
 */
class CrashLoopTest {
  private static final Duration EVICTION = Duration.ofSeconds(10);
  private static final Duration SHORTEST_LIFE = Duration.ofMillis(100);
  private static final double LONGEST_TO_SHORTEST = 600;
  private static final Duration WINDOW = Duration.ofSeconds(300);
  private static final double LEAST_USE = 0.8;

  @SeededTest(fixed = 12, fresh = 4)
  void theRateIsNeverExceededAndMostlyUsed(long seed) {
    try (NodeLifecycleFixture fixture =
        new NodeLifecycleFixture(seed, NodeLifecycleSettings.DEFAULT).zone("a", 45).zone("b", 5)) {
      RandomGenerator random = fixture.cluster.time().random("crashes");
      fixture.advance(60);
      fixture.silence("a", 45);
      // Nodes are found to be lost, which takes a controller that lives for a grace period.
      fixture.advance(90);
      Instant began = fixture.now();
      int before = fixture.taintedNodes.count();
      Duration usual =
          Duration.ofNanos(
              (long)
                  (SHORTEST_LIFE.toNanos() * Math.pow(LONGEST_TO_SHORTEST, random.nextDouble())));
      while (Duration.between(began, fixture.now()).compareTo(WINDOW) < 0) {
        fixture.restart();
        fixture.cluster.advance(
            Duration.ofNanos((long) (usual.toNanos() * (0.5 + random.nextDouble()))));
      }
      fixture.taintedNodes.assertApart(EVICTION);
      long allowed = Duration.between(began, fixture.now()).dividedBy(EVICTION);
      assertThat(fixture.taintedNodes.count() - before)
          .as("nodes emptied, of %d, with crashes every %s", allowed, usual)
          .isGreaterThanOrEqualTo((int) (LEAST_USE * allowed));
    }
  }
}
