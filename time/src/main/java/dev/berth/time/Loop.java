package dev.berth.time;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A component's own thread. Everything given to a loop runs on that thread, one after the other and
 * to its end, so the state that only a loop's tasks touch needs no locks.
 *
 * <p>Timers follow the monotonic clock: once set, a timer runs when its delay has gone by, whatever
 * the wall clock is set to meanwhile. Whoever waits for a time of day looks at the clock again when
 * its timer runs.
 *
 * <p>The order is defined: events and timers run in the order in which they came due. Timers that
 * are due at the same instant run in the order in which they were set; a timer that is due when an
 * event arrives runs before it.
 *
 * <p>A task or a call that throws is a bug. It is reported, and its loop ends, because nobody knows
 * what state it left; all other loops go on. What is still waiting for an ended loop is dropped.
 *
 * <p>All methods may be called from any thread.
 */
public interface Loop extends AutoCloseable {

  String name();

  /**
   * Runs a task after those that wait already.
   *
   * @return false if too many wait or the loop has ended: the task will not run
   */
  boolean offer(Runnable event);

  /**
   * Runs a task when the time has gone by that the wall clock, as it is now, lacks to an instant;
   * at once if that is past.
   */
  Timer at(Instant due, Runnable task);

  /** Runs a task when a time from now has gone by. */
  Timer after(Duration delay, Runnable task);

  /**
   * Runs work that may block, such as a request, beside the loop, and then a task with its result
   * on the loop. Several calls run at once, and may end in any order.
   *
   * @return false if too many are under way or the loop has ended: neither will run
   */
  <T> boolean call(Supplier<T> work, Consumer<T> then);

  /** Whether it runs nothing any more, because it was closed or because of a bug. */
  boolean hasEnded();

  /** Ends the loop after the task that is running, if any. Returns at once. */
  @Override
  void close();

  /** A task that a loop will run later. */
  interface Timer {
    /** How long it is until the task runs; zero or less if it should have begun. */
    Duration remaining();

    /** Makes sure that the task does not run, unless it has begun. */
    void cancel();
  }
}
