package dev.berth.component;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before a component is started afresh: a second at first, twice as long after
 * each further failure, a minute at most, and up to half as long again by chance, so that those
 * that failed together do not come back together. Lives on the supervisor's loop.
 */
final class RestartBackoff {
  static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofMinutes(1);

  /** Who has run for so long has recovered: its next failure is a first one again. */
  static final Duration GOOD_RUN = Duration.ofMinutes(5);

  private static final double JITTER = 0.5;

  /** Enough doublings for the longest wait; more would overflow. */
  private static final int MOST_DOUBLINGS = 10;

  private final RandomGenerator random;
  private int failures;

  RestartBackoff(RandomGenerator random) {
    this.random = random;
  }

  /** Counts a failure, and says how long to wait after it. */
  Duration failed() {
    Duration doubled = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
    failures++;
    Duration wait = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    return wait.plusNanos((long) (wait.toNanos() * JITTER * random.nextDouble()));
  }

  /** How often it failed without a good run in between. */
  int failures() {
    return failures;
  }

  void reset() {
    failures = 0;
  }
}
