package dev.berth.hollow.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hollow.node.NodeConditions;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What annotations tell a node, and the conditions that it reports then. */
final class SimulatedFaultsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  @ParameterizedTest(name = "{0}={1}: silent {2}, reports {3}, not ready for \"{4}\"")
  @CsvSource({
    "x,                                  y,                            false, [],             ''",
    "hollow.berth.dev/silent,            true,                         true,  [],             ''",
    "hollow.berth.dev/silent,            yes,                          false, [],             ''",
    "hollow.berth.dev/conditions,        DiskPressure,                 false, [DiskPressure], ''",
    "hollow.berth.dev/conditions,        ' DiskPressure , ,Sadness',   false, [DiskPressure], ''",
    "hollow.berth.dev/not-ready,         no runtime,                   false, [],             no runtime",
  })
  void faults(String name, String value, boolean silent, String reports, String notReady) {
    SimulatedFaults faults = SimulatedFaults.read(JsonObject.of(name, value));
    assertThat(faults.silent()).isEqualTo(silent);
    assertThat(faults.conditions()).hasToString(reports);
    assertThat(faults.notReady()).isEqualTo(notReady);
  }

  @ParameterizedTest(name = "{0}={1}: {2} bytes missing, {3}")
  @CsvSource({
    "hollow.berth.dev/memory-missing, 1Ki,     1024, []",
    "hollow.berth.dev/memory-missing, lots,    0,    '[hollow.berth.dev/memory-missing: \"lots\" is no amount such as 2Gi]'",
    "hollow.berth.dev/memory-missing, -1,      0,    '[hollow.berth.dev/memory-missing: \"-1\" is no amount such as 2Gi]'",
    "hollow.berth.dev/conditions,     Sadness, 0,    '[hollow.berth.dev/conditions: \"Sadness\" is none of [MemoryPressure, DiskPressure, PIDPressure, NetworkUnavailable]]'",
  })
  void whatCannotBeSimulatedIsTold(String name, String value, long missing, String problems) {
    SimulatedFaults faults = SimulatedFaults.read(JsonObject.of(name, value));
    assertThat(faults.memoryMissing()).isEqualTo(missing);
    assertThat(faults.problems()).hasToString(problems);
  }

  @Test
  void theTimeOfATransitionIsKeptUntilTheStatusIsAnother() {
    JsonArray first = NodeConditions.of(JsonArray.EMPTY, Set.of(), "", NOW);
    JsonArray later = NodeConditions.of(first, Set.of(), "", NOW.plusSeconds(60));
    assertThat(NodeConditions.differ(first, later)).isFalse();
    assertThat(later.objects())
        .allMatch(c -> c.text("lastTransitionTime", "").equals("2030-01-01T00:00:00Z"))
        .allMatch(c -> c.text("lastHeartbeatTime", "").equals("2030-01-01T00:01:00Z"));
    JsonArray broken = NodeConditions.of(later, Set.of(), "broken", NOW.plusSeconds(90));
    assertThat(NodeConditions.differ(later, broken)).isTrue();
    assertThat(broken.objects().getLast().text("lastTransitionTime"))
        .isEqualTo("2030-01-01T00:01:30Z");
  }
}
