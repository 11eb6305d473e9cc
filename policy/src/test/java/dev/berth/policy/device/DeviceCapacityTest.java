package dev.berth.policy.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DeviceCapacityTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final String NAME = "example.com/thing";

  /** Three devices, of which one is unhealthy. */
  private static final DeviceResource THREE =
      DeviceResource.registered()
          .list(
              List.of(
                  new PluginDevice("a", true, List.of()),
                  new PluginDevice("b", true, List.of()),
                  new PluginDevice("c", false, List.of())));

  private static DeviceCapacity of(DeviceResource resource, Duration later) {
    return DeviceCapacity.of(Map.of(NAME, resource), new TreeSet<>(), START.plus(later));
  }

  @Test
  void healthyOnesAreAllocatable() {
    DeviceCapacity capacity = of(THREE, Duration.ZERO);
    assertThat(capacity.capacity()).containsEntry(NAME, 3L);
    assertThat(capacity.allocatable()).containsEntry(NAME, 2L);
  }

  @ParameterizedTest(name = "{0} after the plugin went: capacity {1}, expired: {2}")
  @CsvSource({"PT0S, 3, false", "PT5M, 3, false", "PT5M0.001S, 0, true"})
  void capacityStaysForFiveMinutes(Duration later, long capacity, boolean isExpired) {
    DeviceCapacity shown = of(THREE.stopped(START), later);
    assertThat(shown.capacity()).containsEntry(NAME, capacity);
    assertThat(shown.allocatable()).containsEntry(NAME, 0L);
    assertThat(shown.expired().contains(NAME)).isEqualTo(isExpired);
  }

  @Test
  void aPluginThatIsBackHasNothingUntilItListsIt() {
    DeviceResource back = THREE.stopped(START).connected();
    assertThat(of(back, Duration.ofHours(1)).allocatable()).containsEntry(NAME, 0L);
    assertThat(of(back, Duration.ofHours(1)).capacity()).containsEntry(NAME, 3L);
    assertThat(
            of(back.list(List.of(new PluginDevice("a", true, List.of()))), Duration.ZERO)
                .capacity())
        .containsEntry(NAME, 1L);
  }

  @Test
  void whatWasRegisteredBeforeAStartIsThereWithNothing() {
    DeviceCapacity shown = of(DeviceResource.remembered(START), Duration.ofMinutes(1));
    assertThat(shown.capacity()).containsEntry(NAME, 0L);
    assertThat(shown.allocatable()).containsEntry(NAME, 0L);
    assertThat(shown.expired()).isEmpty();
  }

  @Test
  void whatIsForgottenStaysInTheStatusWithNothing() {
    DeviceCapacity shown = DeviceCapacity.of(new TreeMap<>(), new TreeSet<>(List.of(NAME)), START);
    assertThat(shown.capacity()).containsEntry(NAME, 0L);
    assertThat(shown.allocatable()).containsEntry(NAME, 0L);
  }

  @Test
  void ofTwoWithOneIdTheLastCounts() {
    DeviceResource twice =
        DeviceResource.registered()
            .list(
                List.of(
                    new PluginDevice("a", true, List.of()),
                    new PluginDevice("a", false, List.of())));
    assertThat(twice.healthy()).isEmpty();
    assertThat(twice.unhealthy()).containsExactly("a");
  }
}
