package dev.berth.client;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before a retry: 0.8 s at first, twice as long after each further failure, 30 s
 * at most, plus up to as much again at random, so that clients that failed together do not retry
 * together. Two minutes without a failure reset it.
 */
public final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(800);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Duration FORGIVEN = Duration.ofMinutes(2);

  private final RandomGenerator random;
  private Duration next = FIRST;
  private @Nullable Instant lastFailure;

  public Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** Takes note of a failure; returns how long to wait. */
  public Duration failed(Instant now) {
    if (lastFailure != null && lastFailure.plus(FORGIVEN).isBefore(now)) {
      next = FIRST;
    }
    lastFailure = now;
    Duration delay = next.plusNanos((long) (next.toNanos() * random.nextDouble()));
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    return delay;
  }

  /** The same, but not before the time that a server asked for has gone by. */
  public Duration failed(Instant now, ApiResult.Failure why) {
    Duration delay = failed(now);
    return why instanceof ApiResult.Refused(ApiError error)
        ? error.retryAfter().filter(asked -> asked.compareTo(delay) > 0).orElse(delay)
        : delay;
  }

  /** Takes note of a success: the next failure is the first one. */
  public void succeeded() {
    next = FIRST;
  }
}
