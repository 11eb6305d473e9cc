package dev.berth.policy.pressure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.pressure.Thresholds.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PressureStateTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration TRANSITION = Duration.ofMinutes(5);

  private final List<Threshold> thresholds =
      Thresholds.parse(
          new Written(
              Map.of("memory.available", "100", "pid.available", "10"),
              Map.of("memory.available", "300"),
              Map.of("memory.available", "90s"),
              Map.of("memory.available", "50")));

  private PressureState state = PressureState.NONE;

  private List<String> seen(long seconds, long memory) {
    return seen(seconds, Map.of(Signal.MEMORY_AVAILABLE, memory));
  }

  private List<String> seen(long seconds, Map<Signal, Long> available) {
    Map<Signal, Observation> observations = new EnumMap<>(Signal.class);
    available.forEach(
        (signal, amount) -> observations.put(signal, Observation.of(signal, amount, 1000)));
    state = state.observe(thresholds, observations, TRANSITION, START.plusSeconds(seconds));
    return state.inOrder().stream()
        .map(each -> each.signal() + (each.isHard() ? " hard" : " soft"))
        .toList();
  }

  @Test
  void aHardThresholdHasConsequencesAtOnce() {
    assertThat(seen(0, 301)).isEmpty();
    assertThat(state.conditions()).isEmpty();
    assertThat(seen(10, 99)).containsExactly("memory.available hard");
    assertThat(state.conditions()).containsExactly("MemoryPressure");
  }

  @Test
  void exactlyTheThresholdIsEnough() {
    assertThat(seen(0, 300)).isEmpty();
    assertThat(state.conditions()).isEmpty();
  }

  @Test
  void aSoftThresholdHasConsequencesAfterItsGraceButIsReportedAtOnce() {
    assertThat(seen(0, 299)).isEmpty();
    assertThat(state.conditions()).containsExactly("MemoryPressure");
    assertThat(seen(89, 299)).isEmpty();
    assertThat(seen(90, 299)).containsExactly("memory.available soft");
  }

  @Test
  void aBreakBeginsTheGraceAnew() {
    seen(0, 299);
    seen(60, 301);
    assertThat(seen(100, 299)).isEmpty();
    assertThat(seen(189, 299)).isEmpty();
    assertThat(seen(190, 299)).containsExactly("memory.available soft");
  }

  @Test
  void itIsOverWhenTheMinimumReclaimIsThere() {
    seen(0, 99);
    assertThat(seen(10, 149)).contains("memory.available hard");
    assertThat(seen(20, 150)).doesNotContain("memory.available hard");
  }

  @Test
  void whatHadNoConsequencesYetNeedsNoReclaim() {
    seen(0, 299);
    assertThat(seen(10, 300)).isEmpty();
    assertThat(state.crossedSince()).isEmpty();
  }

  @Test
  void aConditionIsReportedUntilTheTransitionPeriodHasGoneBy() {
    seen(0, 99);
    seen(10, 900);
    assertThat(state.conditions()).containsExactly("MemoryPressure");
    seen(299, 900);
    assertThat(state.conditions()).containsExactly("MemoryPressure");
    seen(300, 900);
    assertThat(state.conditions()).isEmpty();
  }

  @Test
  void memoryComesBeforeAllElse() {
    assertThat(seen(0, Map.of(Signal.PID_AVAILABLE, 5L, Signal.ALLOCATABLE_MEMORY_AVAILABLE, 5L)))
        .containsExactly("allocatableMemory.available hard", "pid.available hard");
    assertThat(state.conditions()).containsExactly("MemoryPressure", "PIDPressure");
  }

  @Test
  void whatIsNotObservedIsNotScarce() {
    assertThat(seen(0, Map.of())).isEmpty();
  }
}
