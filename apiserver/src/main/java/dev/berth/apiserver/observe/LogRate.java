package dev.berth.apiserver.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Lets some lines through in each period and counts the others, so that a client that goes wrong a
 * thousand times a second does not drown all else.
 */
final class LogRate {
  private final int most;
  private final Duration period;
  private Instant end = Instant.EPOCH;
  private int passed;
  private long dropped;

  LogRate(int most, Duration period) {
    this.most = most;
    this.period = period;
  }

  /** Whether to log now; if so, how many were not logged since the last one that was. */
  synchronized OptionalLong admit(Instant now) {
    // A clock that was set back must not close the gate until it has caught up.
    if (!now.isBefore(end) || now.isBefore(end.minus(period))) {
      end = now.plus(period);
      passed = 0;
    }
    if (passed == most) {
      dropped++;
      return OptionalLong.empty();
    }
    passed++;
    long before = dropped;
    dropped = 0;
    return OptionalLong.of(before);
  }
}
