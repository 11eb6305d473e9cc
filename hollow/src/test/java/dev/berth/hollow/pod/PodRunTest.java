package dev.berth.hollow.pod;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodPhase;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.podrun.RestartDelay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The states of containers and what their pod's phase and status make of them. */
final class PodRunTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  /** A letter for each container: r runs, 0 and 1 ended with that. */
  private static PodRun run(String states) {
    JsonObject spec =
        tree("{'containers':[" + "{'name':'c'},".repeat(states.length() - 1) + "{'name':'d'}]}");
    PodRun run = PodRun.accepted(spec, NOW);
    if (states.contains("w")) {
      return run;
    }
    PodRun started = run.started(spec, List.of("10.0.0.1"), NOW);
    for (int i = 0; i < states.length(); i++) {
      int container = i;
      if (states.charAt(i) != 'r') {
        started = started.ended(c -> c == container, states.charAt(i) - '0', NOW);
      }
    }
    return started;
  }

  @ParameterizedTest(name = "{0} with {1}: {2}, and {3} when it is stopped")
  @CsvSource({
    "w,  Always,    PENDING,   PENDING",
    "r,  Always,    RUNNING,   RUNNING",
    "0,  Always,    RUNNING,   SUCCEEDED",
    "1,  Always,    RUNNING,   FAILED",
    "r1, Always,    RUNNING,   RUNNING",
    "0,  OnFailure, SUCCEEDED, SUCCEEDED",
    "1,  OnFailure, RUNNING,   FAILED",
    "01, OnFailure, RUNNING,   FAILED",
    "0r, OnFailure, RUNNING,   RUNNING",
    "0,  Never,     SUCCEEDED, SUCCEEDED",
    "01, Never,     FAILED,    FAILED",
    "1r, Never,     RUNNING,   RUNNING",
  })
  void phases(String states, String policy, PodPhase staying, PodPhase stopping) {
    assertThat(run(states).phase(policy, true)).isEqualTo(staying);
    assertThat(run(states).phase(policy, false)).isEqualTo(stopping);
  }

  @ParameterizedTest(name = "{0} with {1} is {2} after a restart")
  @CsvSource({
    "1,  Always,    r",
    "0,  Always,    r",
    "01, OnFailure, 0r",
    "01, Never,     01",
  })
  void onlyWhatIsToRunIsStartedAgain(String states, String policy, String after) {
    PodRun restarted = run(states).restarted(policy, NOW);
    for (int i = 0; i < after.length(); i++) {
      assertThat(restarted.containers().get(i).isRunning()).isEqualTo(after.charAt(i) == 'r');
    }
    assertThat(run(states).hasToRestart(policy)).isEqualTo(!states.equals(after));
  }

  @Test
  void whatIsWrittenIsReadBack() {
    JsonObject pod = tree("{'metadata':{'uid':'u'},'spec':{'containers':[{'name':'d'}]}}");
    for (PodRun run :
        List.of(run("r"), run("1"), run("1").backingOff("Always", _ -> "m"), run("w"))) {
      JsonObject status = PodStatusBuilder.of(pod, "1.2.3.4", run, true, NOW);
      assertThat(PodRun.read(pod.with("status", status), NOW)).isEqualTo(run);
    }
  }

  @ParameterizedTest(name = "after {0} restarts: {1} s")
  @CsvSource({"0, 0", "1, 10", "2, 20", "3, 40", "4, 80", "5, 160", "6, 300", "99, 300"})
  void restartsWaitLongerEachTime(int restarts, long seconds) {
    assertThat(RestartDelay.after(restarts)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest(name = "run-for {0}: {1} ms")
  @CsvSource({"30s, 30000", "1m30s, 90000", "250ms, 250", "2h, 7200000", "soon, -1", "30, -1"})
  void runForIsADuration(String text, long millis) {
    Optional<ScheduledExit> end = ScheduledExit.of(JsonObject.of("hollow.berth.dev/run-for", text));
    assertThat(end.map(e -> e.after().toMillis()).orElse(-1L)).isEqualTo(millis);
  }

  @ParameterizedTest(name = "{0} at {1}: {2}")
  @CsvSource({
    "'',                  0, 10.128.1.130",
    "'',                  9, 10.128.1.139",
    "10.1.2.0/24,         0, 10.1.2.2",
    "10.1.2.0/24,       254, 10.1.3.0",
    "fd00:0:0:1::/64,     3, fd00:0:0:1::5",
    "fd00:10:20:30::/64,  0, fd00:10:20:30::2",
  })
  void addresses(String range, int place, String address) {
    JsonObject node = range.isEmpty() ? JsonObject.EMPTY : JsonObject.of("podCIDR", range);
    PodAddresses addresses = new PodAddresses(3);
    assertThat(addresses.at(place, node)).containsExactly(address);
    assertThat(addresses.keep(address, node)).isEqualTo(place);
    assertThat(addresses.keep("1.2.3.4", node)).isEqualTo(-1);
  }
}
