package dev.berth.policy.cronjob;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** So long after the last time: whole seconds, at least one. */
record FixedDelay(Duration delay) implements CronSchedule {
  FixedDelay {
    delay = Duration.ofSeconds(Math.max(1, delay.toSeconds()));
  }

  @Override
  public Optional<Instant> next(Instant after) {
    return Optional.of(after.truncatedTo(ChronoUnit.SECONDS).plus(delay));
  }

  @Override
  public Optional<Instant> latest(Instant after, Instant until) {
    Instant start = after.truncatedTo(ChronoUnit.SECONDS);
    long times = Math.max(0, Duration.between(start, until).toSeconds()) / delay.toSeconds();
    return times == 0 ? Optional.empty() : Optional.of(start.plus(delay.multipliedBy(times)));
  }
}
