package dev.berth.policy.podrun;

import dev.berth.model.resource.ObjectName;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long a container that ended waits before it is started again: not at all the first time, then
 * 10 s, twice as long each time, 5 min at most, counted from its end. One that ran for more than 10
 * min is forgiven.
 *
 * @param delay how long it waits after its next end; zero if it was not restarted of late
 * @param restarted when it was last started again
 */
public record RestartDelay(Duration delay, Instant restarted) {
  /** For a container that was never started again. */
  public static final RestartDelay NONE = new RestartDelay(Duration.ZERO, Instant.MIN);

  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final Duration FORGIVEN = Duration.ofMinutes(10);

  /** Doubling more often than this is beyond the longest delay. */
  private static final int MOST_DOUBLINGS = 5;

  /**
   * When a container that ended may be started again; empty if it may at once.
   *
   * @param longest what a node may set instead of 5 min
   */
  public Optional<Instant> waitsUntil(Instant ended, Instant now, Duration longest) {
    if (delay.isZero() || isForgiven(ended, longest)) {
      return Optional.empty();
    }
    Instant until = ended.plus(delay);
    return until.isAfter(now) ? Optional.of(until) : Optional.empty();
  }

  /** It is started again now, after it ended. */
  public RestartDelay next(Instant ended, Instant now, Duration longest) {
    Duration doubled = delay.isZero() || isForgiven(ended, longest) ? FIRST : delay.multipliedBy(2);
    return new RestartDelay(doubled.compareTo(longest) < 0 ? doubled : longest, now);
  }

  private boolean isForgiven(Instant ended, Duration longest) {
    return Duration.between(restarted, ended).compareTo(longest.multipliedBy(2)) > 0;
  }

  /**
   * How long it waits this time.
   *
   * @param restarts how often it was started again, not counting what was forgiven
   */
  public static Duration after(int restarts) {
    if (restarts == 0) {
      return Duration.ZERO;
    }
    Duration delay = FIRST.multipliedBy(1L << Math.min(restarts - 1, MOST_DOUBLINGS));
    return delay.compareTo(LONGEST) < 0 ? delay : LONGEST;
  }

  public static boolean isForgiven(Duration ran) {
    return ran.compareTo(FORGIVEN) >= 0;
  }

  /** The message in the status of a waiting container. */
  public static String message(Duration delay, String container, ObjectName pod, String uid) {
    long seconds = delay.toSeconds();
    String text = seconds < 60 ? seconds + "s" : seconds / 60 + "m" + seconds % 60 + "s";
    return "back-off %s restarting failed container=%s pod=%s_%s(%s)"
        .formatted(text, container, pod.name(), pod.namespace(), uid);
  }
}
