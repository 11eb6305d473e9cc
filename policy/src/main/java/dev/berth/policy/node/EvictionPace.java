package dev.berth.policy.node;

import dev.berth.policy.taint.CountdownStart;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How fast the nodes of one zone are being emptied: at most one in {@code 1/rate} seconds.
 *
 * <p>There are no tokens to save up: after a quiet hour one node may be emptied at once, and the
 * next one waits for its turn. Since only the time of the last one is kept, a new rate applies in
 * full from the moment it is known, in both directions.
 *
 * @param last when the last node may have got its taint; null if none ever did
 */
public record EvictionPace(@Nullable Instant last) {
  /** The pace of a zone where nobody has ever emptied a node. */
  public static final EvictionPace FRESH = new EvictionPace(null);

  /** Slower than this, one node in 30 years, is not at all. */
  private static final double SLOWEST = 1e-9;

  private static final double NANOS_PER_SECOND = 1e9;

  /** After a node got its taint, or may have got it. */
  public EvictionPace taken(Instant now) {
    return new EvictionPace(last == null || last.isBefore(now) ? now : last);
  }

  /**
   * After it was found that a node had got its taint.
   *
   * @param written when, in whole seconds of the clock that taints are written by
   * @param now on the clock that paces are kept on
   * @param wallNow on the clock that taints are written by
   */
  public EvictionPace found(Instant written, Instant now, Instant wallNow) {
    Instant latest = CountdownStart.of(written, wallNow);
    return taken(now.minus(Duration.between(latest, wallNow)));
  }

  /** When the next node may get its taint, which may be in the past; empty if none may. */
  public Optional<Instant> next(double nodesPerSecond) {
    if (!(nodesPerSecond > SLOWEST)) {
      return Optional.empty();
    }
    return Optional.of(last == null ? Instant.MIN : last.plus(interval(nodesPerSecond)));
  }

  /**
   * Whether it holds a zone back yet, whichever of the rates applies. One that does not is as good
   * as {@link #FRESH}.
   */
  public boolean holdsBack(ZoneSettings settings, Instant now) {
    double slowest = Math.min(settings.nodesPerSecond(), settings.secondaryNodesPerSecond());
    return next(slowest).map(next -> next.isAfter(now)).orElse(last != null);
  }

  private static Duration interval(double nodesPerSecond) {
    return Duration.ofNanos((long) Math.ceil(NANOS_PER_SECOND / nodesPerSecond));
  }
}
