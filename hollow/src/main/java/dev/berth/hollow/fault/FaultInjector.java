package dev.berth.hollow.fault;

import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.BitSet;
import java.util.function.ObjIntConsumer;
import java.util.random.RandomGenerator;

/**
 * Makes nodes not ready for a minute, now and then, by chance: one timer for all of them, drawn
 * from the rate at which any of them fails.
 */
public final class FaultInjector {
  private static final Duration DURATION = Duration.ofMinutes(1);
  private static final double MILLIS_PER_HOUR = 3_600_000;

  private final Loop loop;
  private final RandomGenerator random;
  private final double perHour;
  private final int nodes;
  private final ObjIntConsumer<Boolean> set;
  private final BitSet failed = new BitSet();

  /**
   * @param perHour how often each node fails
   * @param nodes how many there are
   * @param set called when a node fails, and when it recovers
   */
  public FaultInjector(
      Time time, Loop loop, double perHour, int nodes, ObjIntConsumer<Boolean> set) {
    this.loop = loop;
    this.random = time.random("hollow faults");
    this.perHour = perHour;
    this.nodes = nodes;
    this.set = set;
  }

  public void start() {
    if (perHour > 0) {
      double hours = -Math.log(1 - random.nextDouble()) / (perHour * nodes);
      loop.after(Duration.ofMillis((long) (hours * MILLIS_PER_HOUR)), this::fail);
    }
  }

  private void fail() {
    int node = random.nextInt(nodes);
    if (!failed.get(node)) {
      failed.set(node);
      set.accept(true, node);
      loop.after(
          DURATION,
          () -> {
            failed.clear(node);
            set.accept(false, node);
          });
    }
    start();
  }
}
