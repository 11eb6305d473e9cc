package dev.berth.hollow;

import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Makes nodes unwell for a minute, now and then, by chance: one timer for all of them, drawn from
 * the rate at which it happens to any.
 */
final class FaultInjector {
  private static final Duration LASTS = Duration.ofMinutes(1);
  private static final double MILLIS_PER_HOUR = 3_600_000;

  private final Loop loop;
  private final RandomGenerator random;
  private final double perHour;
  private final HollowNode[] nodes;
  private final Consumer<HollowNode> changed;

  /**
   * @param perHour how often it happens to each node
   * @param changed told of nodes that are unwell now, or no longer
   */
  FaultInjector(
      Time time, Loop loop, double perHour, HollowNode[] nodes, Consumer<HollowNode> changed) {
    this.loop = loop;
    this.random = time.random("hollow misfortune");
    this.perHour = perHour;
    this.nodes = nodes;
    this.changed = changed;
  }

  void begin() {
    if (perHour > 0) {
      double hours = -Math.log(1 - random.nextDouble()) / (perHour * nodes.length);
      loop.after(Duration.ofMillis((long) (hours * MILLIS_PER_HOUR)), this::strike);
    }
  }

  private void strike() {
    HollowNode node = nodes[random.nextInt(nodes.length)];
    if (!node.unwell) {
      node.unwell = true;
      changed.accept(node);
      loop.after(
          LASTS,
          () -> {
            node.unwell = false;
            changed.accept(node);
          });
    }
    begin();
  }
}
