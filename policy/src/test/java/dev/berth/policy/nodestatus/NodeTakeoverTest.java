package dev.berth.policy.nodestatus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.nodestatus.NodeTakeover.Machine;
import dev.berth.policy.nodestatus.NodeTakeover.Registered;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeTakeoverTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:01:00Z");

  private static Optional<String> refusal(String machine, String hardware, String renewed) {
    return refusal(new Machine(machine, hardware, "/data/a"), renewed);
  }

  private static Optional<String> refusal(Machine machine, String renewed) {
    return NodeTakeover.refusal(
        new Registered(
            "n1",
            machine,
            renewed.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(renewed)),
            Duration.ofSeconds(40)),
        new Machine("m1", "u1", "/data/a"),
        NOW);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "its own node, m1, u1, 2030-01-01T00:00:59Z, true",
    "nobody has been it, '', '', 2030-01-01T00:00:59Z, true",
    "another installation is it, m2, u1, 2030-01-01T00:00:59Z, false",
    "other hardware with the same installation is it, m1, u2, 2030-01-01T00:00:59Z, false",
    "another one still was it a moment ago, m2, u2, 2030-01-01T00:00:20.000001Z, false",
    "another one was it until its lease ran out, m2, u2, 2030-01-01T00:00:20Z, true",
    "another one was it that had no lease, m2, u2, '', true",
  })
  void who(String name, String machine, String hardware, String renewed, boolean may) {
    assertThat(refusal(machine, hardware, renewed).isEmpty()).isEqualTo(may);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "its own node, /data/a, 2030-01-01T00:00:59Z, true",
    "the node does not say, '', 2030-01-01T00:00:59Z, true",
    "another agent of this machine is it, /data/b, 2030-01-01T00:00:59Z, false",
    "another agent of this machine was it, /data/b, 2030-01-01T00:00:20Z, true",
  })
  void whichAgent(String name, String directory, String renewed, boolean may) {
    assertThat(refusal(new Machine("m1", "u1", directory), renewed).isEmpty()).isEqualTo(may);
  }

  @Test
  void theRefusalSaysWhichAgentItIs() {
    assertThat(refusal(new Machine("m1", "u1", "/data/b"), "2030-01-01T00:00:59Z"))
        .contains(
            "the node \"n1\" is alive on this machine already (with the data directory /data/b,"
                + " this agent has /data/a): choose another name for this agent with"
                + " --hostname-override, or stop the other one; its lease was renewed at"
                + " 2030-01-01T00:00:59Z");
  }

  @Test
  void theRefusalSaysWhichMachineItIsAndWhatToDo() {
    assertThat(refusal("m2", "u2", "2030-01-01T00:00:59Z"))
        .contains(
            "the node \"n1\" is alive on another machine (machine id m2, this one is m1): choose"
                + " another name for this machine with --hostname-override, or stop the other one;"
                + " its lease was renewed at 2030-01-01T00:00:59Z");
  }
}
