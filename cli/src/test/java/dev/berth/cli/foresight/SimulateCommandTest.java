package dev.berth.cli.foresight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Main;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code berth simulate} as a user types it. */
class SimulateCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @BeforeEach
  void writeTheScenario() throws IOException {
    Files.writeString(
        folder.resolve("s.yaml"),
        """
        duration: 10m
        cluster: {nodes: [{name: node, count: 4}], workloads: [{name: web, replicas: 4, spread: node}]}
        timeline: [{at: 1m, taint: {node: node-0, taint: "down:NoExecute"}}]
        expect: [{workload: web, available: ">= 3"}]
        """);
  }

  private int run(String words) {
    List<String> all = new ArrayList<>(List.of("simulate"));
    for (String word : words.split(" ", -1)) {
      all.add(word.replace("FOLDER", folder.toString()));
    }
    return Main.run(all, new Console(new PrintWriter(out), new PrintWriter(err)));
  }

  @Test
  void writesAPageAndTellsTheResult() throws IOException {
    assertThat(run("FOLDER/s.yaml --report FOLDER/r.html --json FOLDER/r.json --csv FOLDER/r.csv"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("s: 10m simulated, 4 nodes, 5 pods, 1 evicted, seed 1")
        .contains("holds: web available >= 3 (at worst 3 of 4, at 1m)")
        .contains("report: " + folder.resolve("r.html"));
    assertThat(Files.readString(folder.resolve("r.html"))).startsWith("<!doctype html>");
    assertThat(Files.readString(folder.resolve("r.json"))).contains("\"evictions\":1");
    assertThat(Files.readAllLines(folder.resolve("r.csv")))
        .anyMatch(line -> line.startsWith("60.") && line.contains("DeletionByTaintManager"));
  }

  @Test
  void failsWhenSomethingExpectedDoesNotHold() {
    assertThat(run("FOLDER/s.yaml --report FOLDER/r.html --set cluster.nodes.node.count=1"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("FAILS: web available >= 3 (at worst 0 of 4, at 1m)");
  }

  @Test
  void whatIsAfterTheEndIsSaid() {
    assertThat(run("FOLDER/s.yaml --report FOLDER/r.html --set duration=30s"))
        .isEqualTo(ExitCode.OK);
    assertThat(err.toString())
        .contains(
            "not played, since it is after the end (30s): node node-0 tainted down:NoExecute, at 1m");
  }

  @Test
  void settingsAreFlagsOfTheControllers() {
    assertThat(
            run(
                "FOLDER/s.yaml --report FOLDER/r.html --compare --with settings.node-monitor-grace-period=90s"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString()).contains("s with settings.node-monitor-grace-period=90s: 10m");
    assertThat(run("FOLDER/s.yaml --set settings.node-evicton-rate=1")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("The settings of the scenario s: ")
        .contains("Did you mean --node-eviction-rate?");
  }

  @Test
  void howLongPodsTolerateLostNodesIsASettingToo() throws IOException {
    Files.writeString(
        folder.resolve("lost.yaml"),
        """
        duration: 5m
        cluster: {nodes: [{name: node, count: 4}], workloads: [{name: web, replicas: 4, spread: node}]}
        timeline: [{at: 1m, kill: node-0}]
        """);
    assertThat(
            run(
                "FOLDER/lost.yaml --report FOLDER/r.html --compare --with"
                    + " settings.default-unreachable-toleration-seconds=30,cluster.nodes.node.zones=[a,b]"))
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("lost: 5m simulated, 4 nodes, 4 pods, 0 evicted, seed 1")
        .contains("lost with settings.default-unreachable-toleration-seconds=30,")
        .contains("5m simulated, 4 nodes, 5 pods, 1 evicted, seed 1");
  }

  @ParameterizedTest(name = "berth simulate {0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "FOLDER/none.yaml                    | There is no file",
        "FOLDER/s.yaml FOLDER/s.yaml         | Two scenarios can only be compared: give --compare.",
        "FOLDER/s.yaml --compare             | --compare needs either a second scenario or --with.",
        "FOLDER/s.yaml --with a=b            | --with needs --compare.",
        "FOLDER/s.yaml --set a               | --set must be PATH=VALUE",
        "FOLDER/s.yaml --report FOLDER/no/r.html | there is no directory FOLDER/no.",
        "FOLDER/s.yaml --json FOLDER         | --json must be a file to write, and FOLDER is a directory.",
        "FOLDER/s.yaml --runs 0              | --runs must be a number between 1 and 10000",
        "FOLDER/s.yaml FOLDER/s.yaml --compare --runs 2 | --runs and --compare cannot be combined.",
        "FOLDER/s.yaml --set duration=soon   | duration: Invalid value: \"soon\": must be a duration",
      })
  void saysWhatWouldBeRight(String words, String answer) {
    assertThat(run(words)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(answer.replace("FOLDER", folder.toString()));
    assertThat(out.toString()).as("nothing is played").isEmpty();
  }
}
