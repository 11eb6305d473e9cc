package dev.berth.serving.rest;

import dev.berth.time.Loop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a watch sends a bookmark: each minute, so that one that breaks continues not far behind, and
 * shortly before its time is over, so that the next one misses nothing and repeats nothing.
 */
final class Bookmarks {
  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final Duration BEFORE_END = Duration.ofSeconds(2);

  private final Loop timers;
  private final Loop.Timer end;
  private final Runnable onDue;
  private Loop.@Nullable Timer timer;

  /**
   * @param end when the watch ends
   * @param onDue run on the loop when a bookmark is due
   */
  Bookmarks(Loop timers, Loop.Timer end, Runnable onDue) {
    this.timers = timers;
    this.end = end;
    this.onDue = onDue;
  }

  /** Waits for the next one, if there is one before the end. */
  void next() {
    Duration last = end.remaining().minus(BEFORE_END);
    timer =
        last.isPositive()
            ? timers.after(last.compareTo(INTERVAL) < 0 ? last : INTERVAL, onDue)
            : null;
  }

  boolean isDue() {
    return timer != null && !timer.remaining().isPositive();
  }

  void cancel() {
    if (timer != null) {
      timer.cancel();
    }
  }
}
