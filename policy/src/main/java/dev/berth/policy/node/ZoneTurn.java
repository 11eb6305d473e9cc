package dev.berth.policy.node;

import dev.berth.model.core.Zone;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * When the next node of a zone may be emptied.
 *
 * <ol>
 *   <li>A zone is emptied at the rate that {@link ZoneRates} gives it, counted from the last node
 *       ({@link EvictionPace}). While every zone is down, none is.
 *   <li>A zone where no node counts has no state that could hold it back, and is emptied at the
 *       normal rate.
 *   <li>Right before a node is emptied, those are counted as unhealthy that {@linkplain
 *       NodeObservation#isSuspect have been silent for long}, and a lower rate that follows from
 *       them applies already. Nodes that fail together do not all fall silent in the same second,
 *       nor are they lost in the same pass; otherwise the first nodes of an outage would be emptied
 *       before it is known to be one, which is what happens upstream.
 * </ol>
 */
public sealed interface ZoneTurn {

  /** A node may be emptied. */
  record Now() implements ZoneTurn {}

  /** The zone has to wait. */
  record Later(Instant time) implements ZoneTurn {}

  /** No node may be emptied until the zone's rate is another. */
  record Never() implements ZoneTurn {}

  /**
   * A zone, and what its turn depends on.
   *
   * @param rates those that apply to all zones
   */
  record Candidate(Zone zone, EvictionPace pace, ZoneRates rates, ZoneSettings settings) {}

  /**
   * Decides.
   *
   * @param suspected the health of all zones if suspect nodes were unhealthy; asked for only if it
   *     matters, since somebody has to look at every node for it
   */
  static ZoneTurn of(Candidate candidate, Supplier<List<ZoneHealth>> suspected, Instant now) {
    double rate = rate(candidate);
    ZoneTurn turn = at(candidate.pace().next(rate), now);
    if (!(turn instanceof Now)) {
      return turn;
    }
    double likely =
        ZoneRates.of(suspected.get(), candidate.settings())
            .of(candidate.zone())
            .map(other -> Math.min(rate, other.nodesPerSecond()))
            .orElse(rate);
    return at(candidate.pace().next(likely), now);
  }

  private static double rate(Candidate candidate) {
    ZoneRates rates = candidate.rates();
    return rates.allDown()
        ? 0
        : rates
            .of(candidate.zone())
            .map(ZoneRate::nodesPerSecond)
            .orElse(candidate.settings().nodesPerSecond());
  }

  private static ZoneTurn at(Optional<Instant> next, Instant now) {
    if (next.isEmpty()) {
      return new Never();
    }
    return next.get().isAfter(now) ? new Later(next.get()) : new Now();
  }
}
