package dev.berth.hollow.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.heartbeat.RetryDelay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Turns come once in a period, evenly spread. */
final class StaggeredScheduleTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private static StaggeredSchedule of(int members) {
    return new StaggeredSchedule(members, PERIOD, START, new SplittableRandom(1));
  }

  @Test
  void everybodyHasOneTurnInAPeriod() {
    StaggeredSchedule schedule = of(1000);
    List<Integer> turns = new ArrayList<>();
    schedule.takeDue(START.plus(PERIOD).minusNanos(1), turns::add);
    assertThat(turns)
        .doesNotHaveDuplicates()
        .hasSize(1000)
        .isNotEqualTo(turns.stream().sorted().toList());
    assertThat(schedule.due()).isEqualTo(START.plus(PERIOD));
  }

  @Test
  void turnsComeInSlotsOfTheSameSize() {
    StaggeredSchedule schedule = of(1000);
    for (int slot = 0; slot < 300; slot++) {
      List<Integer> turns = new ArrayList<>();
      assertThat(schedule.due()).isEqualTo(START.plusMillis(100L * slot));
      schedule.takeDue(START.plusMillis(100L * slot), turns::add);
      assertThat(turns).hasSize(10);
    }
  }

  /** Arithmetic says the same as taking every turn. */
  @Test
  void whenAMemberWasLastDueIsKnownWithoutTakingTurns() {
    StaggeredSchedule taken = of(37);
    StaggeredSchedule asked = of(37);
    Instant[] last = new Instant[37];
    Arrays.fill(last, Instant.MIN);
    UnsentHeartbeats unsent = new UnsentHeartbeats(asked, asked);
    assertThat(unsent.last(0, Instant.MIN)).isEqualTo(Instant.MIN);
    for (int step = 0; step < 500; step++) {
      Instant now = START.plusMillis(71L * step);
      taken.takeDue(now, member -> last[member] = now);
      for (int member = 0; member < 37; member++) {
        Instant due = unsent.last(member, now);
        if (last[member].equals(Instant.MIN)) {
          assertThat(due).isEqualTo(Instant.MIN);
        } else {
          assertThat(due).isBetween(last[member].minusMillis(71), last[member]);
        }
      }
    }
  }

  @Test
  void whatWasMissedIsNotMadeUpFor() {
    StaggeredSchedule schedule = of(10);
    List<Integer> turns = new ArrayList<>();
    schedule.takeDue(START.plus(Duration.ofHours(1)), turns::add);
    assertThat(turns).hasSizeLessThanOrEqualTo(21);
    assertThat(schedule.due()).isAfter(START.plus(Duration.ofHours(1)));
  }

  @ParameterizedTest(name = "after {0} failures: {1} ms")
  @CsvSource({"1, 200", "2, 400", "3, 800", "4, 1600", "5, 3200", "6, 6400", "7, 7000", "60, 7000"})
  void whatFailsIsTriedAgainLaterEachTime(int failures, long millis) {
    assertThat(RetryDelay.after(failures)).isEqualTo(Duration.ofMillis(millis));
  }
}
