package dev.berth.policy.pressure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.quantity.Quantity;
import dev.berth.policy.pressure.Thresholds.Written;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThresholdsTest {
  private static List<String> words(List<Threshold> thresholds) {
    return thresholds.stream()
        .map(each ->
            each.signal()
                + " "
                + each.value().of(Quantity.of(1000))
                + (each.isHard() ? "" : " after " + each.grace())
                + each.minimumReclaim().map(r -> " +" + r.of(Quantity.of(1000))).orElse(""))
        .toList();
  }

  @Test
  void theDefaultsAreUpstreams() {
    assertThat(words(Thresholds.parse(Written.DEFAULT)))
        .containsExactlyInAnyOrder(
            "memory.available 100Mi",
            "allocatableMemory.available 100Mi",
            "nodefs.available 100",
            "nodefs.inodesFree 50",
            "imagefs.available 150",
            "imagefs.inodesFree 50");
  }

  @Test
  void softThresholdsHaveGraceAndBothHaveAMinimumReclaim() {
    Written written =
        new Written(
            Map.of("memory.available", "10"),
            Map.of("memory.available", "20", "pid.available", "5%"),
            Map.of("memory.available", "1m30s", "pid.available", "2m"),
            Map.of("memory.available", "5%"));
    assertThat(words(Thresholds.parse(written)))
        .containsExactly(
            "memory.available 10 +50",
            "memory.available 20 after PT1M30S +50",
            "pid.available 50 after PT2M",
            "allocatableMemory.available 10 +50");
  }

  @Test
  void zeroAndAllOfItTurnAThresholdOff() {
    Map<String, String> off = Map.of("nodefs.available", "0%", "imagefs.available", "100%");
    assertThat(Thresholds.parse(new Written(off, Map.of(), Map.of(), Map.of()))).isEmpty();
  }

  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "disk.available | 1 | unsupported eviction signal disk.available",
        "memory.available | 0 | eviction threshold memory.available must be positive: 0",
        "memory.available | -1 | eviction threshold memory.available must be positive: -1",
        "memory.available | -5% | eviction percentage threshold memory.available must be >= 0%: -5%",
        "memory.available | 101% | eviction percentage threshold memory.available must be <= 100%: 101%",
        "memory.available | lots | the eviction threshold memory.available must be a quantity or a percentage, not \"lots\"",
      })
  void whatCannotBeUsedIsRefused(String signal, String value, String message) {
    assertThatThrownBy(() ->
            Thresholds.parse(new Written(Map.of(signal, value), Map.of(), Map.of(), Map.of())))
        .hasMessage(message);
  }

  @Test
  void aSoftThresholdNeedsItsGracePeriod() {
    assertThatThrownBy(() ->
            Thresholds.parse(
                new Written(Map.of(), Map.of("memory.available", "1Gi"), Map.of(), Map.of())))
        .hasMessage(
            "grace period must be specified for the soft eviction threshold memory.available");
  }

  @Test
  void containersFollowTheFileSystemThatTheyAreOn() {
    List<Threshold> thresholds =
        List.of(
            threshold(Signal.NODE_FS_AVAILABLE, 1),
            threshold(Signal.IMAGE_FS_AVAILABLE, 2),
            threshold(Signal.CONTAINER_FS_AVAILABLE, 3),
            threshold(Signal.NODE_FS_INODES_FREE, 4));
    assertThat(words(Thresholds.withContainerFilesystem(thresholds, false)))
        .containsExactly(
            "nodefs.available 1",
            "imagefs.available 2",
            "nodefs.inodesFree 4",
            "containerfs.available 1",
            "containerfs.inodesFree 4");
    assertThat(words(Thresholds.withContainerFilesystem(thresholds, true)))
        .containsExactly(
            "nodefs.available 1",
            "imagefs.available 2",
            "nodefs.inodesFree 4",
            "containerfs.available 2");
  }

  private static Threshold threshold(Signal signal, long amount) {
    return new Threshold(
        signal, new ThresholdValue.Amount(Quantity.of(amount)), Duration.ZERO, Optional.empty());
  }
}
