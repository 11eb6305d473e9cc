package dev.berth.policy.taint;

import static dev.berth.model.fixture.Fixtures.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.QosClass;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DefaultTolerationsTest {
  private static final Toleration NOT_READY =
      Toleration.exists(WellKnownTaints.NOT_READY, TaintEffect.NO_EXECUTE).seconds(300);
  private static final Toleration UNREACHABLE =
      Toleration.exists(WellKnownTaints.UNREACHABLE, TaintEffect.NO_EXECUTE).seconds(300);
  private static final Toleration MEMORY_PRESSURE =
      Toleration.exists(WellKnownTaints.MEMORY_PRESSURE, TaintEffect.NO_SCHEDULE);

  static Stream<Arguments> nodeProblems() {
    String notReady = WellKnownTaints.NOT_READY;
    String unreachable = WellKnownTaints.UNREACHABLE;
    return Stream.of(
        argumentSet("no tolerations: both, for 300 s", null, List.of(NOT_READY, UNREACHABLE)),
        argumentSet(
            "own not-ready: only unreachable",
            object("key", notReady, "operator", "Exists", "effect", "NoExecute"),
            List.of(UNREACHABLE)),
        argumentSet(
            "own unreachable without effect: only not-ready",
            object("key", unreachable, "operator", "Exists"),
            List.of(NOT_READY)),
        argumentSet(
            "own unreachable with Equal counts, with any operator",
            object("key", unreachable, "operator", "Equal", "value", "x", "effect", "NoExecute"),
            List.of(NOT_READY)),
        argumentSet(
            "own unreachable with Gt counts",
            object("key", unreachable, "operator", "Gt", "value", "1", "effect", "NoExecute"),
            List.of(NOT_READY)),
        argumentSet(
            "own toleration of everything: neither", object("operator", "Exists"), List.of()),
        argumentSet(
            "own NoSchedule toleration does not count",
            object("key", unreachable, "operator", "Exists", "effect", "NoSchedule"),
            List.of(NOT_READY, UNREACHABLE)),
        argumentSet(
            "own toleration of another key does not count",
            object("key", "dedicated", "operator", "Exists", "effect", "NoExecute"),
            List.of(NOT_READY, UNREACHABLE)),
        argumentSet(
            "own legacy unreachable counts as unreachable",
            object("key", WellKnownTaints.LEGACY_UNREACHABLE, "operator", "Exists"),
            List.of(NOT_READY)),
        argumentSet(
            "own legacy notReady counts as not-ready",
            object("key", WellKnownTaints.LEGACY_NOT_READY, "operator", "Exists"),
            List.of(UNREACHABLE)));
  }

  @ParameterizedTest
  @MethodSource("nodeProblems")
  void addsWhatThePodDoesNotSayItself(@Nullable JsonObject own, List<Toleration> expected) {
    List<Toleration> tolerations = own == null ? List.of() : List.of(Toleration.read(own));
    assertThat(DefaultTolerations.FIVE_MINUTES.missingFrom(tolerations)).isEqualTo(expected);
  }

  @Test
  void bothTimesAreFlags() {
    DefaultTolerations settings =
        new DefaultTolerations(Duration.ofSeconds(10), Duration.ofSeconds(20));
    assertThat(settings.missingFrom(List.of()))
        .containsExactly(NOT_READY.seconds(10), UNREACHABLE.seconds(20));
  }

  @ParameterizedTest
  @EnumSource(
      value = QosClass.class,
      names = {"GUARANTEED", "BURSTABLE"})
  void podsThatRequestSomethingTolerateMemoryPressure(QosClass qosClass) {
    assertThat(DefaultTolerations.memoryPressure(List.of(NOT_READY), () -> qosClass))
        .contains(MEMORY_PRESSURE);
  }

  @Test
  void bestEffortPodsDoNot() {
    assertThat(DefaultTolerations.memoryPressure(List.of(), () -> QosClass.BEST_EFFORT)).isEmpty();
  }

  @Test
  void aPodThatToleratesMemoryPressureGetsNothingMore() {
    Toleration everything = Toleration.read(object("operator", "Exists"));
    assertThat(DefaultTolerations.memoryPressure(List.of(everything), () -> QosClass.BURSTABLE))
        .isEmpty();
  }
}
