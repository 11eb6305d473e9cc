package dev.berth.agent.pod;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** When something that failed is tried again. Times are on the monotonic clock. */
final class Retry {
  private final Duration first;
  private final Duration longest;
  private final @Nullable RandomGenerator jitter;
  private Duration next;
  private Instant due = Instant.MIN;

  private Retry(Duration first, Duration longest, @Nullable RandomGenerator jitter) {
    this.first = first;
    this.longest = longest;
    this.jitter = jitter;
    this.next = first;
  }

  /** As upstream has it for volumes: 0.5 s, twice as long each time, to 2 min 2 s. */
  static Retry volumes() {
    return new Retry(Duration.ofMillis(500), Duration.ofSeconds(122), null);
  }

  /** As upstream has it for pods: 10 s, and up to half as long again at random. */
  static Retry sandboxes(RandomGenerator random) {
    return new Retry(Duration.ofSeconds(10), Duration.ofSeconds(10), random);
  }

  /** For what is to be ended or removed: every 2 s. */
  static Retry ending() {
    return new Retry(Duration.ofSeconds(2), Duration.ofSeconds(2), null);
  }

  void failed(Instant now) {
    Duration delay =
        jitter == null ? next : next.plusMillis((long) (next.toMillis() * jitter.nextDouble() / 2));
    due = now.plus(delay);
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(longest) < 0 ? doubled : longest;
  }

  void succeeded() {
    next = first;
    due = Instant.MIN;
  }

  /** How long to wait; empty if it may be tried now. */
  Optional<Duration> left(Instant now) {
    return now.isBefore(due) ? Optional.of(Duration.between(now, due)) : Optional.empty();
  }
}
