package dev.berth.policy.daemon;

import java.time.Duration;
import java.time.Instant;

/**
 * When a failed pod of a node may be replaced: the first at once, the next not before a second has
 * gone by, and then each time twice as long, up to 15 minutes. After half an hour without a failure
 * it begins anew.
 *
 * @param delay how long after the last replacement there is no other
 * @param last when a pod was last replaced
 */
public record FailureBackoff(Duration delay, Instant last) {
  public static final FailureBackoff NONE = new FailureBackoff(Duration.ZERO, Instant.EPOCH);

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Duration FORGIVEN = LONGEST.multipliedBy(2);

  /** From when on a pod may be replaced. */
  Instant until() {
    return last.plus(delay);
  }

  /** After a pod was replaced. */
  public FailureBackoff next(Instant now) {
    if (delay.isZero() || last.plus(FORGIVEN).isBefore(now)) {
      return new FailureBackoff(FIRST, now);
    }
    Duration doubled = delay.multipliedBy(2);
    return new FailureBackoff(doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST, now);
  }
}
