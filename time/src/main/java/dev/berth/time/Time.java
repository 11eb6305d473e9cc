package dev.berth.time;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Where a component gets its time, its timers, its thread and its randomness from, and the only
 * place it may get them from. {@link WallTime} is the real thing; on {@link VirtualTime} the same
 * component runs as a pure function of a seed.
 */
public interface Time {

  /**
   * What the wall clock shows: for times that are written to objects or compared with what objects
   * say. Somebody may set it, back or forth, at any moment; so no deadline of one's own may hang on
   * it.
   */
  Instant now();

  /**
   * The monotonic clock: it runs as the wall clock does, but nobody can set it. For one's own
   * deadlines, back-offs and measurements. It reads like the wall clock did when this time began;
   * the two must not be compared with each other.
   */
  Instant monotonicNow();

  /** How long it is until the wall clock shows an instant, if nobody sets it; may be negative. */
  default Duration until(Instant due) {
    return Duration.between(now(), due);
  }

  /** How long ago something was on the monotonic clock. */
  default Duration since(Instant monotonic) {
    return Duration.between(monotonic, monotonicNow());
  }

  /**
   * Starts a loop.
   *
   * @param name says in reports which component this is
   * @param onFailure is told if one of its tasks or calls throws
   */
  Loop start(String name, LoopLimits limits, LoopFailure.Listener onFailure);

  /** Starts a loop whose failure is told to whoever this time belongs to. */
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
