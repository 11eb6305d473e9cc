package dev.berth.policy.nodestatus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.pressure.Threshold;
import dev.berth.policy.pressure.Thresholds;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocatableTest {
  private static ResourceList list(String text) {
    SortedMap<String, Quantity> amounts = new TreeMap<>();
    for (String each : text.split(" ", -1)) {
      if (!each.isEmpty()) {
        String[] pair = each.split("=", -1);
        amounts.put(pair[0], Quantity.parse(pair[1]));
      }
    }
    return new ResourceList(amounts);
  }

  private static List<Threshold> hard(String signal, String value) {
    return Thresholds.parse(
        new Thresholds.Written(
            value.isEmpty() ? Map.of() : Map.of(signal, value), Map.of(), Map.of(), Map.of()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing reserved | cpu=2 memory=4Gi | '' | '' | '' | {cpu=2, memory=4Gi}",
        "system and kube | cpu=2 memory=4Gi | cpu=100m memory=512Mi | cpu=400m | '' | {cpu=1500m, memory=3584Mi}",
        "hard threshold | cpu=2 memory=4Gi | '' | '' | 1Gi | {cpu=2, memory=3Gi}",
        "all together | memory=4Gi | memory=1Gi | memory=1Gi | 1Gi | {memory=1Gi}",
        "never below zero | memory=1Gi | memory=2Gi | '' | '' | {memory=0}",
        "huge pages | memory=4Gi hugepages-2Mi=1Gi | '' | '' | '' | {hugepages-2Mi=1Gi, memory=3Gi}",
        "others untouched | pods=110 example.com/fpga=4 | cpu=1 | '' | '' | {example.com/fpga=4, pods=110}",
      })
  void allocatable(
      String name, String capacity, String system, String kube, String memory, String expected) {
    assertThat(
            Allocatable.of(
                list(capacity), list(system), list(kube), hard("memory.available", memory)))
        .hasToString(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "all of it | cpu=2 memory=4Gi | cpu=1 memory=2Gi | cpu=1 memory=1Gi | 1Gi | ''",
        "more processors than there are | cpu=2 memory=4Gi | cpu=1500m | cpu=600m | '' | Resource \"cpu\" has a reservation of 2100m but capacity of 2. Expected capacity >= reservation.",
        "more with the threshold | cpu=2 memory=4Gi | memory=4Gi | '' | 100Mi | Resource \"memory\" has a reservation of 4196Mi but capacity of 4Gi. Expected capacity >= reservation.",
      })
  void overcommitment(
      String name, String capacity, String system, String kube, String memory, String expected) {
    assertThat(
            Allocatable.overcommitment(
                    list(capacity), list(system), list(kube), hard("memory.available", memory))
                .orElse(""))
        .isEqualTo(expected);
  }

  @Test
  void aShareOfTheFileSystemIsRoundedAsUpstreamRoundsIt() {
    assertThat(
            Allocatable.of(
                list("ephemeral-storage=1000000000"),
                ResourceList.EMPTY,
                ResourceList.EMPTY,
                hard("nodefs.available", "10%")))
        .hasToString("{ephemeral-storage=899999999}");
  }

  @Test
  void softThresholdsReserveNothing() {
    List<Threshold> soft =
        Thresholds.parse(
            new Thresholds.Written(
                Map.of(),
                Map.of("memory.available", "1Gi"),
                Map.of("memory.available", "1m"),
                Map.of()));
    assertThat(Allocatable.of(list("memory=4Gi"), ResourceList.EMPTY, ResourceList.EMPTY, soft))
        .hasToString("{memory=4Gi}");
  }
}
