package dev.berth.policy.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.Zone;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ZoneTurnTest {
  private static final Instant LAST = Instant.parse("2026-01-01T00:00:00Z");
  private static final EvictionPace PACE = EvictionPace.FRESH.taken(LAST);
  private static final Zone A = new Zone("", "a");
  private static final Zone B = new Zone("", "b");
  private static final ZoneHealth WELL = new ZoneHealth(B, 100, 0);

  /** Zone a, of 100 nodes. */
  private static List<ZoneHealth> unhealthy(int nodes) {
    return List.of(new ZoneHealth(A, 100, nodes), WELL);
  }

  private static List<ZoneHealth> allDown() {
    return List.of(new ZoneHealth(A, 100, 100), new ZoneHealth(B, 100, 100));
  }

  private static ZoneTurn now() {
    return new ZoneTurn.Now();
  }

  private static ZoneTurn later(int seconds) {
    return new ZoneTurn.Later(LAST.plusSeconds(seconds));
  }

  private static ZoneTurn never() {
    return new ZoneTurn.Never();
  }

  private static ZoneTurn turn(
      EvictionPace pace, List<ZoneHealth> decided, List<ZoneHealth> suspected, int seconds) {
    ZoneRates rates = ZoneRates.of(decided, ZoneSettings.DEFAULT);
    return ZoneTurn.of(
        new ZoneTurn.Candidate(A, pace, rates, ZoneSettings.DEFAULT),
        () -> suspected,
        LAST.plusSeconds(seconds));
  }

  static Stream<Arguments> turns() {
    List<ZoneHealth> one = unhealthy(1);
    List<ZoneHealth> most = unhealthy(60);
    List<ZoneHealth> none = List.of(WELL);
    return Stream.of(
        argumentSet("its turn has come", one, one, 10, now()),
        argumentSet("its turn comes in a moment", one, one, 9, later(10)),
        argumentSet("it is disrupted", most, most, 10, later(100)),
        argumentSet("it is disrupted, and its turn has come", most, most, 100, now()),
        argumentSet("it is about to be disrupted", one, most, 10, later(100)),
        argumentSet("it is about to be disrupted, later", one, most, 100, now()),
        argumentSet("suspects never hasten it", most, one, 10, later(100)),
        argumentSet("it is small and disrupted", small(4), small(4), 1000, never()),
        argumentSet("it is small and about to be", small(1), small(4), 1000, never()),
        argumentSet("every zone is down", allDown(), allDown(), 1000, never()),
        argumentSet("every zone is about to be", one, allDown(), 1000, never()),
        argumentSet("it alone is down", unhealthy(100), unhealthy(100), 10, now()),
        argumentSet("none of its nodes counts", none, none, 10, now()),
        argumentSet("none of its nodes counts, and too soon", none, none, 9, later(10)));
  }

  /** Zone a, of five nodes. */
  private static List<ZoneHealth> small(int unhealthy) {
    return List.of(new ZoneHealth(A, 5, unhealthy), WELL);
  }

  @ParameterizedTest
  @MethodSource
  void turns(List<ZoneHealth> decided, List<ZoneHealth> suspected, int seconds, ZoneTurn turn) {
    assertThat(turn(PACE, decided, suspected, seconds)).isEqualTo(turn);
  }

  @Test
  void aZoneThatNobodyEmptiedBeforeDoesNotWait() {
    assertThat(turn(EvictionPace.FRESH, unhealthy(1), unhealthy(1), 0)).isEqualTo(now());
    assertThat(turn(EvictionPace.FRESH, small(4), small(4), 0)).isEqualTo(never());
  }

  @Test
  void nobodyLooksForSuspectsBeforeTheTurnHasCome() {
    ZoneRates rates = ZoneRates.of(unhealthy(1), ZoneSettings.DEFAULT);
    ZoneTurn turn =
        ZoneTurn.of(
            new ZoneTurn.Candidate(A, PACE, rates, ZoneSettings.DEFAULT),
            () -> {
              throw new AssertionError("every node was looked at");
            },
            LAST.plusSeconds(9));
    assertThat(turn).isEqualTo(later(10));
  }
}
