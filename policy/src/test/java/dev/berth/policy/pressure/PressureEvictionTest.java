package dev.berth.policy.pressure;

import static dev.berth.policy.pressure.PodConsumptionFixture.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.pressure.Thresholds.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PressureEvictionTest {
  private static final long MEBIBYTE = 1 << 20;
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private static Optional<PressureEviction> decide(
      Written written, Signal signal, long available, PodConsumptionFixture... pods) {
    List<Threshold> thresholds = Thresholds.parse(written);
    Map<Signal, Observation> observations =
        Map.of(signal, Observation.of(signal, available, 4096 * MEBIBYTE));
    PressureState state =
        PressureState.NONE
            .observe(thresholds, observations, Duration.ZERO, START)
            .observe(thresholds, observations, Duration.ZERO, START.plusSeconds(3600));
    return PressureEviction.decide(
        new PressureEviction.Node(
            state,
            observations,
            Arrays.stream(pods).map(PodConsumptionFixture::made).toList(),
            false,
            Duration.ofSeconds(20)));
  }

  private static Written hard(String signal, String value) {
    return new Written(Map.of(signal, value), Map.of(), Map.of(), Map.of());
  }

  @Test
  void theMessageIsUpstreams() {
    PressureEviction eviction =
        decide(
                hard("memory.available", "100Mi"),
                Signal.MEMORY_AVAILABLE,
                50 * MEBIBYTE,
                pod("p").requests("memory", "64Mi").memory(200))
            .orElseThrow();
    assertThat(eviction.message().text())
        .isEqualTo(
            "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi."
                + " Container c was using 200Mi, request is 64Mi, has larger consumption of"
                + " memory. ");
    assertThat(eviction.message().annotations())
        .containsExactly(
            Map.entry("offending_containers", "c"),
            Map.entry("offending_containers_usage", "200Mi"),
            Map.entry("starved_resource", "memory"));
    assertThat(eviction.grace()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void whoKeepsItsRequestIsNotBlamed() {
    assertThat(
            decide(
                    hard("memory.available", "100Mi"),
                    Signal.MEMORY_AVAILABLE,
                    50 * MEBIBYTE,
                    pod("p").requests("memory", "300Mi").memory(200))
                .orElseThrow()
                .message()
                .text())
        .isEqualTo(
            "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. ");
  }

  @Test
  void aRequestOfThePodItselfIsNamed() {
    assertThat(
            decide(
                    hard("memory.available", "100Mi"),
                    Signal.MEMORY_AVAILABLE,
                    50 * MEBIBYTE,
                    pod("p").podRequests("memory", "300Mi").memory(200))
                .orElseThrow()
                .message()
                .text())
        .contains("Pod p was using 200Mi, request is 300Mi, has larger consumption of memory. ");
  }

  @Test
  void storageIsWhatContainersWrote() {
    assertThat(
            decide(
                    hard("nodefs.available", "10%"),
                    Signal.NODE_FS_AVAILABLE,
                    MEBIBYTE,
                    pod("p").writes(30, 2, 0))
                .orElseThrow()
                .message()
                .text())
        .isEqualTo(
            "The node was low on resource: ephemeral-storage. Threshold quantity: 429496736,"
                + " available: 1Mi. Container c was using 32Mi, request is 0, has larger"
                + " consumption of ephemeral-storage. ");
  }

  @Test
  void criticalPodsStay() {
    assertThat(
            decide(
                    hard("memory.available", "100Mi"),
                    Signal.MEMORY_AVAILABLE,
                    50 * MEBIBYTE,
                    pod("static").critical().memory(2000),
                    pod("small").requests("memory", "10Mi").memory(1))
                .map(each -> each.pod().name()))
        .contains("small");
    assertThat(
            decide(
                hard("memory.available", "100Mi"),
                Signal.MEMORY_AVAILABLE,
                50 * MEBIBYTE,
                pod("static").critical().memory(2000)))
        .isEmpty();
  }

  @Test
  void aSoftThresholdLeavesThePodItsGraceUpToALimit() {
    Written soft =
        new Written(
            Map.of(),
            Map.of("memory.available", "100Mi"),
            Map.of("memory.available", "1m"),
            Map.of());
    assertThat(
            decide(soft, Signal.MEMORY_AVAILABLE, 50 * MEBIBYTE, pod("p").memory(1))
                .map(PressureEviction::grace))
        .contains(Duration.ofSeconds(20));
  }

  @Test
  void nothingIsEvictedWithoutNeed() {
    assertThat(
            decide(
                hard("memory.available", "100Mi"),
                Signal.MEMORY_AVAILABLE,
                500 * MEBIBYTE,
                pod("p").memory(2000)))
        .isEmpty();
  }
}
