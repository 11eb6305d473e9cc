package dev.berth.client.heartbeat;

import java.time.Duration;

/** How long a node waits before it retries what failed: 200 ms, then twice as long, to 7 s. */
public final class RetryDelay {
  private static final Duration FIRST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(7);
  private static final int MOST_DOUBLINGS = 6;

  private RetryDelay() {}

  /**
   * The delay after a number of failures.
   *
   * @param failures how often it failed in a row, at least once
   */
  public static Duration after(int failures) {
    Duration delay = FIRST.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
    return delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
  }
}
