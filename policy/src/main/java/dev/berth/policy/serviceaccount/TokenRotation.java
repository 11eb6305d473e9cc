package dev.berth.policy.serviceaccount;

import java.time.Duration;
import java.time.Instant;

/**
 * When a node asks for a pod's token anew: when a fifth of its life is left, and in any case when
 * it is 24 hours old. Either is up to 10 seconds early, so that pods that were started together do
 * not ask together.
 */
public final class TokenRotation {
  private static final Duration OLDEST = Duration.ofHours(24);
  private static final Duration MOST_JITTER = Duration.ofSeconds(10);
  private static final int PERCENT_LEFT = 20;

  private TokenRotation() {}

  /**
   * How much earlier, drawn at random, in whole seconds.
   *
   * @param drawn from 0 to 1
   */
  public static Duration jitter(double drawn) {
    return Duration.ofSeconds((long) (drawn * MOST_JITTER.toSeconds()));
  }

  /**
   * Decides.
   *
   * @param lifetime how long the token is valid from its beginning
   */
  public static boolean isDue(Instant expires, Duration lifetime, Instant now, Duration jitter) {
    Duration lastPart = Duration.ofSeconds(lifetime.toSeconds() * PERCENT_LEFT / 100);
    Instant issued = expires.minus(lifetime);
    return now.isAfter(issued.plus(OLDEST).minus(jitter))
        || now.isAfter(expires.minus(lastPart).minus(jitter));
  }
}
