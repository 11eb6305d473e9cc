package dev.berth.policy.certificates;

import java.time.Duration;
import java.time.Instant;

/**
 * When a node asks for a new certificate: after 70 to 90 percent of the validity of the one it has,
 * by chance, so that nodes that joined together do not ask together.
 */
public final class RotationDeadline {
  private static final double EARLIEST = 0.7;
  private static final double RANGE = 0.2;

  private RotationDeadline() {}

  /**
   * When the next one is due.
   *
   * @param random from 0 to 1
   */
  public static Instant of(Instant notBefore, Instant notAfter, double random) {
    Duration validity = Duration.between(notBefore, notAfter);
    return notBefore.plusMillis(Math.round(validity.toMillis() * (EARLIEST + RANGE * random)));
  }
}
