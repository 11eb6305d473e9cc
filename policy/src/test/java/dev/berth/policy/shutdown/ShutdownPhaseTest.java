package dev.berth.policy.shutdown;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.shutdown.ShutdownPeriods.Period;
import dev.berth.policy.shutdown.ShutdownPhase.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** N13, N14: the tables of the documents, and what they leave open. */
class ShutdownPhaseTest {
  /** Written from the highest to the lowest, as the documents do. */
  private static final ShutdownPeriods ALL_CLASSES =
      new ShutdownPeriods(
          List.of(
              new Period(100_000, ofSeconds(10)),
              new Period(10_000, ofSeconds(180)),
              new Period(1_000, ofSeconds(120)),
              new Period(0, ofSeconds(60))));

  private static final ShutdownPeriods SOME_CLASSES =
      new ShutdownPeriods(
          List.of(
              new Period(100_000, ofSeconds(300)),
              new Period(1_000, ofSeconds(120)),
              new Period(0, ofSeconds(60))));

  private static final ShutdownPeriods TWO_PHASES =
      ShutdownPeriods.of(ofSeconds(30), ofSeconds(10));

  private static Pod pod(String uid, int priority, long seconds) {
    return new Pod(uid, priority, ofSeconds(seconds));
  }

  private static ShutdownPhase phase(ShutdownPeriods periods, int priority) {
    List<ShutdownPhase> phases =
        ShutdownPhase.of(periods, List.of(pod("p", priority, Integer.MAX_VALUE)));
    assertThat(phases).hasSize(1);
    return phases.getFirst();
  }

  @ParameterizedTest(name = "priority {0} gets {1} s")
  @CsvSource({
    "2147483647, 10",
    "100001, 10",
    "100000, 10",
    "99999, 180",
    "10000, 180",
    "9999, 120",
    "1000, 120",
    "999, 60",
    "0, 60",
    "-1, 60",
    "-2147483648, 60",
  })
  void theFirstTableOfTheDocuments(int priority, long seconds) {
    assertThat(phase(ALL_CLASSES, priority).grace()).isEqualTo(ofSeconds(seconds));
  }

  @ParameterizedTest(name = "priority {0} gets {1} s")
  @CsvSource({"100000, 300", "99999, 120", "10000, 120", "1000, 120", "999, 60", "0, 60"})
  void theSecondTableOfTheDocuments(int priority, long seconds) {
    assertThat(phase(SOME_CLASSES, priority).grace()).isEqualTo(ofSeconds(seconds));
  }

  @ParameterizedTest(name = "priority {0} gets {1} s")
  @CsvSource({"0, 20", "1999999999, 20", "-5, 20", "2000000000, 10", "2000001000, 10"})
  void thirtySecondsOfWhichTenAreForCriticalPods(int priority, long seconds) {
    assertThat(phase(TWO_PHASES, priority).grace()).isEqualTo(ofSeconds(seconds));
    assertThat(TWO_PHASES.total()).isEqualTo(ofSeconds(30));
  }

  @Test
  void phasesGoFromTheLowestPriorityToTheHighestAndEmptyRangesAreLeftOut() {
    List<ShutdownPhase> phases =
        ShutdownPhase.of(
            ALL_CLASSES, List.of(pod("a", 200_000, 30), pod("c", 5_000, 30), pod("b", 2_000, 300)));
    assertThat(phases).extracting(ShutdownPhase::priority).containsExactly(1_000, 100_000);
    assertThat(phases.getFirst().pods()).extracting(Pod::uid).containsExactly("c", "b");
  }

  @Test
  void aPodGetsItsOwnGracePeriodButNoMoreThanItsRange() {
    ShutdownPhase phase =
        ShutdownPhase.of(TWO_PHASES, List.of(pod("short", 0, 5), pod("long", 0, 600))).getFirst();
    assertThat(phase.gracesAfter(Duration.ZERO))
        .isEqualTo(Map.of("short", ofSeconds(5), "long", ofSeconds(20)));
  }

  @Test
  void lostTimeIsTakenFromThePhaseThatLostItAndNeverAddedToTheWhole() {
    List<ShutdownPhase> phases =
        ShutdownPhase.of(TWO_PHASES, List.of(pod("web", 0, 60), pod("dns", 2_000_000_000, 60)));
    assertThat(phases.get(0).graceAfter(ofMillis(500))).isEqualTo(ofMillis(19_500));
    assertThat(phases.get(0).graceAfter(ofSeconds(25))).isEqualTo(Duration.ZERO);
    // One that begins early has no more for that; one that begins late must be over in time.
    assertThat(phases.get(1).graceAfter(ofSeconds(2))).isEqualTo(ofSeconds(10));
    assertThat(phases.get(1).graceAfter(ofSeconds(26))).isEqualTo(ofSeconds(4));
    assertThat(phases.get(1).graceAfter(ofSeconds(31))).isEqualTo(Duration.ZERO);
  }

  @Test
  void nothingIsOrderedWhereNothingIsConfigured() {
    assertThat(ShutdownPeriods.of(Duration.ZERO, Duration.ZERO)).isEqualTo(ShutdownPeriods.NONE);
    assertThat(ShutdownPhase.of(ShutdownPeriods.NONE, List.of(pod("p", 0, 30)))).isEmpty();
    assertThat(ShutdownPeriods.NONE.total()).isEqualTo(Duration.ZERO);
  }
}
