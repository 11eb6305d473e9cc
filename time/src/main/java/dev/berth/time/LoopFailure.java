package dev.berth.time;

import java.time.Instant;
import java.util.OptionalLong;

/**
 * A task of a loop has thrown, which ended the loop.
 *
 * @param loop the loop's name
 * @param at when, on the loop's wall clock
 * @param seed on virtual time, the seed that makes it happen again
 * @param step on virtual time, how many tasks had run before; zero on the wall clock
 */
public record LoopFailure(String loop, Instant at, OptionalLong seed, long step, Throwable cause) {

  /** Takes note of failures. Called on the thread that the task was running on. */
  @FunctionalInterface
  public interface Listener {
    void onFailure(LoopFailure failure);
  }

  @Override
  public String toString() {
    String where = "The loop \"" + loop + "\" ended at " + at + " because a task threw " + cause;
    return seed.isPresent()
        ? where + " (step " + step + "; seed " + seed.getAsLong() + " repeats it)"
        : where;
  }
}
