package dev.berth.cli.foresight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Main;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.sim.fuzz.FuzzAction;
import dev.berth.sim.fuzz.FuzzFailure;
import dev.berth.sim.fuzz.FuzzStep;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code berth fuzz} as a user types it. */
class FuzzCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String words) {
    List<String> all = new ArrayList<>(List.of("fuzz"));
    all.addAll(List.of(words.split(" ", -1)));
    return Main.run(all, new Console(new PrintWriter(out), new PrintWriter(err)));
  }

  @Test
  void playsSeedsAndSaysHowMuchItHasChecked() {
    assertThat(run("--seed 3 --seeds 1 --nodes 3 --pods 8 --steps 4 --span 2"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith("1 history, ")
        .containsPattern("writes checked, in \\d+s with \\d+s of processor time");
  }

  @Test
  void tellsAFailureByItsShortestHistoryAndHowToReplayIt() {
    FuzzStep step =
        new FuzzStep(
            12,
            Duration.ofSeconds(125),
            new FuzzAction.Partition("scheduler-a", Duration.ofSeconds(30)));
    FuzzFailure failure =
        new FuzzFailure(
            17, "no node is over-committed", "2030-01-01T00:05:00Z", "p is too big", List.of(step));
    PrintWriter to = new PrintWriter(out);
    FuzzCommand.tellShortest(failure, List.of("--nodes 6"), to);
    to.flush();

    assertThat(out.toString().lines().map(String::strip))
        .contains(
            "The shortest history found has 1 step:",
            "12  2:05  cut scheduler-a off for 30s",
            "It ends at 2030-01-01T00:05:00Z: p is too big",
            "To replay it: berth fuzz --seed 17 --nodes 6 --only 12",
            "To replay the whole history: berth fuzz --seed 17 --nodes 6 --seeds 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seed x|--seed must be a whole number, not \"x\".",
        "--only 3|--only needs --seed.",
        "--seed 1 --only 3,b|--only must be the numbers of steps, such as 3,17,40, not \"b\".",
        "--seed 1 --steps 5 --only 3,6|--only: there is no step 6, since a history has 5 (--steps).",
        "--nodes 2|A history needs 3 nodes at least, not 2.",
        "--nodes 10 --pods 5|A history of 10 nodes needs 20 pods at least, not 5.",
        "--nodes 3 --pods 500|3 nodes take 120 pods at most, not 500.",
        "--minutes 0|--minutes must be",
        "--node 3|berth fuzz has no option --node."
      })
  void refusesWhatItDoesNotUnderstand(String words, String message) {
    assertThat(run(words)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(message);
    assertThat(out.toString()).isEmpty();
  }
}
