package dev.berth.policy.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class EvictionPaceTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final EvictionPace TAKEN = EvictionPace.FRESH.taken(START);

  @Test
  void theFirstNodeDoesNotWait() {
    assertThat(EvictionPace.FRESH.next(0.1)).hasValueSatisfying(n -> assertThat(n).isBefore(START));
  }

  @Test
  void theNextOneWaitsForItsTurn() {
    assertThat(TAKEN.next(0.1)).hasValue(START.plusSeconds(10));
    assertThat(TAKEN.next(0.01)).hasValue(START.plusSeconds(100));
    assertThat(TAKEN.next(2)).hasValue(START.plusMillis(500));
  }

  @Test
  void aQuietHourSavesNothingUp() {
    Instant later = START.plusSeconds(3600);
    assertThat(TAKEN.taken(later).next(0.1)).hasValue(later.plusSeconds(10));
  }

  @Test
  void atNoRateNobodysTurnComes() {
    assertThat(EvictionPace.FRESH.next(0)).isEmpty();
    assertThat(TAKEN.next(0)).isEmpty();
    assertThat(TAKEN.next(-1)).isEmpty();
    assertThat(TAKEN.next(Double.NaN)).isEmpty();
  }

  @Test
  void aClockThatWasSetBackDoesNotHastenTheNext() {
    assertThat(TAKEN.taken(START.minusSeconds(60))).isEqualTo(TAKEN);
  }

  @Test
  void anIntervalIsNeverRoundedDown() {
    assertThat(TAKEN.next(3)).hasValue(START.plusNanos(333_333_334));
  }

  @Test
  void itHoldsAZoneBackUntilItsTurnAtTheSlowestRate() {
    ZoneSettings settings = ZoneSettings.DEFAULT;
    assertThat(EvictionPace.FRESH.holdsBack(settings, START)).isFalse();
    assertThat(TAKEN.holdsBack(settings, START.plusSeconds(99))).isTrue();
    assertThat(TAKEN.holdsBack(settings, START.plusSeconds(100))).isFalse();
    ZoneSettings stopped = new ZoneSettings(0.1, 0, 0.55, 50);
    assertThat(TAKEN.holdsBack(stopped, START.plusSeconds(1_000_000))).isTrue();
    assertThat(EvictionPace.FRESH.holdsBack(stopped, START)).isFalse();
  }

  /** The two clocks of this controller differ, as they may. */
  @Test
  void aTaintThatIsFoundCountsFromTheEndOfItsSecond() {
    Instant wall = Instant.parse("2030-05-05T12:00:30Z");
    Instant now = START.plusSeconds(500);
    assertThat(EvictionPace.FRESH.found(wall.minusSeconds(20), now, wall).last())
        .isEqualTo(now.minusSeconds(19));
    assertThat(EvictionPace.FRESH.found(wall, now, wall).last())
        .as("not in the future")
        .isEqualTo(now);
    assertThat(TAKEN.found(wall.minusSeconds(3600), now, wall)).as("long before").isEqualTo(TAKEN);
  }
}
