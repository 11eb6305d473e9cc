package dev.berth.policy.certificates;

import java.time.Duration;
import java.util.Optional;

/**
 * For how long a certificate is signed:
 *
 * <ol>
 *   <li>for as long as the request asks for, but no longer than the signer allows, and for ten
 *       minutes at least;
 *   <li>counted from its beginning, which is five minutes before now for clients whose clocks are
 *       behind; except that one of less than eight hours is counted from now, since the five
 *       minutes would matter to it.
 * </ol>
 *
 * Whoever signs sees to it that it ends no later than the signer's own certificate.
 */
final class SigningDuration {
  private static final Duration LEAST = Duration.ofMinutes(10);
  private static final Duration BACKDATE = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofHours(8);

  private SigningDuration() {}

  /**
   * How long it is valid from now on.
   *
   * @param most what the signer allows
   */
  static Duration of(Optional<Duration> asked, Duration most) {
    Duration whole = asked.map(wanted -> bounded(wanted, most)).orElse(most);
    return whole.compareTo(SHORT) < 0 ? whole : whole.minus(BACKDATE);
  }

  private static Duration bounded(Duration wanted, Duration most) {
    if (wanted.compareTo(most) > 0) {
      return most;
    }
    return wanted.compareTo(LEAST) < 0 ? LEAST : wanted;
  }
}
