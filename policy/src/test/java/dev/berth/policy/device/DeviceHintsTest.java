package dev.berth.policy.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Devices are written with their NUMA nodes; those with an x do not say where they are. */
class DeviceHintsTest {
  private static Set<String> letters(String word) {
    return word.equals("-")
        ? Set.of()
        : word.chars().mapToObj(Character::toString).collect(Collectors.toSet());
  }

  @ParameterizedTest(name = "{1} of {0} with {2}, free {3}, passed on {4}: {5}")
  @CsvSource({
    "ax bx,       1, -,  ab,   -, no preference",
    "a0 b1,       1, -,  ab,   -, 0* 1* 01",
    "a0 b1,       2, -,  ab,   -, 01*",
    "a0 b1,       1, -,  b,    -, 1* 01",
    "a0 b1,       2, -,  b,    -, none",
    "a0 b0 c1 d1, 2, -,  ac,   -, 01",
    "a0 b0 c1 d1, 3, -,  abcd, -, 01*",
    "a0 b1 c01,   2, -,  abc,  -, 0* 1* 01",
    "a0 b0 c1,    1, a,  bc,   -, 0* 01",
    "a0 b0 c1,    2, a,  bc,   -, none",
    "a0 b0 c1,    2, -,  c,    a, 01",
    "a0 b7,       1, -,  ab,   -, 0*",
    "a0 bx,       2, -,  ab,   -, none possible",
  })
  void hints(String devices, int count, String has, String free, String reusable, String expected) {
    List<PluginDevice> listed = new ArrayList<>();
    for (String device : devices.split(" ", -1)) {
      List<Long> nodes =
          device.chars().skip(1).filter(c -> c != 'x').mapToObj(c -> c - (long) '0').toList();
      listed.add(new PluginDevice(device.substring(0, 1), true, nodes));
    }
    String hints =
        new DeviceHints(DeviceResource.registered().list(listed), List.of(0, 1))
            .of(count, letters(has), letters(free), letters(reusable))
            .map(all ->
                all.stream()
                    .map(hint ->
                        hint.affinity().orElseThrow().toString().replace(",", "")
                            + (hint.isPreferred() ? "*" : ""))
                    .collect(Collectors.joining(" ")))
            .orElse("no preference");
    assertThat(hints).isEqualTo(expected.startsWith("none") ? "" : expected);
  }
}
