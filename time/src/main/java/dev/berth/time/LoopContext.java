package dev.berth.time;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which loop the current thread works for, so that a log can say who speaks, and when on that
 * loop's clock, without being handed either.
 *
 * @param loop the loop's name
 * @param time the clock that the loop runs on
 */
public record LoopContext(String loop, Time time) {
  private static final ThreadLocal<@Nullable LoopContext> CURRENT = new ThreadLocal<>();

  /** Empty on a thread that runs neither a loop's task nor its call. */
  public static Optional<LoopContext> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /**
   * Runs something for this loop. Contexts nest where time is virtual: one thread runs all loops.
   */
  void run(Runnable task) {
    LoopContext outer = CURRENT.get();
    CURRENT.set(this);
    try {
      task.run();
    } finally {
      CURRENT.set(outer);
    }
  }
}
