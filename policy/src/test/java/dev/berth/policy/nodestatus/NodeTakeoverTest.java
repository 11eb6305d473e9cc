package dev.berth.policy.nodestatus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.nodestatus.NodeTakeover.Machine;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTakeoverTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:01:00Z");

  private static JsonObject tree(String json) {
    return JsonReader.object(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private static JsonObject node(String machine, String hardware) {
    return tree(
        "{'metadata':{'name':'n1'},'status':{'nodeInfo':{'machineID':'%s','systemUUID':'%s'}}}"
            .formatted(machine, hardware));
  }

  private static JsonObject lease(String renewed) {
    return renewed.isEmpty()
        ? JsonObject.EMPTY
        : tree("{'spec':{'leaseDurationSeconds':40,'renewTime':'%s'}}".formatted(renewed));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "its own node, m1, u1, 2030-01-01T00:00:59.000000Z, true",
    "nobody has been it, '', '', 2030-01-01T00:00:59.000000Z, true",
    "another installation is it, m2, u1, 2030-01-01T00:00:59.000000Z, false",
    "other hardware with the same installation is it, m1, u2, 2030-01-01T00:00:59.000000Z, false",
    "another one still was it a moment ago, m2, u2, 2030-01-01T00:00:20.000001Z, false",
    "another one was it until its lease ran out, m2, u2, 2030-01-01T00:00:20.000000Z, true",
    "another one was it that had no lease, m2, u2, '', true",
    "another one was it whose lease is damaged, m2, u2, yesterday, true",
  })
  void who(String name, String machine, String hardware, String renewed, boolean may) {
    assertThat(
            NodeTakeover.refusal(
                    node(machine, hardware), new Machine("m1", "u1"), lease(renewed), NOW)
                .isEmpty())
        .isEqualTo(may);
  }

  @Test
  void theRefusalSaysWhichMachineItIsAndWhatToDo() {
    assertThat(
            NodeTakeover.refusal(
                node("m2", "u2"),
                new Machine("m1", "u1"),
                lease("2030-01-01T00:00:59.000000Z"),
                NOW))
        .contains(
            "the node \"n1\" is alive on another machine (machine id m2, this one is m1): choose"
                + " another name for this machine with --hostname-override, or stop the other one;"
                + " its lease was renewed at 2030-01-01T00:00:59.000000Z");
  }
}
