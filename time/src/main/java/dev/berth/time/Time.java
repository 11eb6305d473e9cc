package dev.berth.time;

import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Where a component gets its time, its timers, its thread and its randomness from, and the only
 * place it may get them from. {@link WallTime} is the real thing; on {@link VirtualTime} the same
 * component runs as a pure function of a seed.
 */
public interface Time {

  Instant now();

  /**
   * Starts a loop.
   *
   * @param name says in reports which component this is
   */
  Loop start(String name, LoopLimits limits);

  default Loop start(String name) {
    return start(name, LoopLimits.DEFAULT);
  }

  /**
   * A source of randomness for one component. Components draw from sources of their own, by name,
   * so that one that draws once more does not change what all others draw.
   */
  RandomGenerator random(String name);

  /**
   * Runs tasks that may block, several at once where time is real, and in any order; returns when
   * all have ended. Whatever one of them throws is thrown here, when the others have ended. Not for
   * tasks of loops, which must not block.
   */
  default void together(List<? extends Runnable> tasks) {
    tasks.forEach(Runnable::run);
  }
}
