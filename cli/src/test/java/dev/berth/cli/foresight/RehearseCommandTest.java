package dev.berth.cli.foresight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.Main;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.hollow.HollowSettings;
import dev.berth.sim.PodBuilder;
import dev.berth.sim.WholeCluster;
import dev.berth.sim.snapshot.SnapshotFile;
import dev.berth.sim.snapshot.SnapshotReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code berth rehearse} and {@code berth snapshot} as a user types them. */
class RehearseCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @BeforeEach
  void takeASnapshot() throws IOException {
    try (WholeCluster cluster = new WholeCluster(1, HollowSettings.of(4).zones("a", "b"));
        OutputStream file = Files.newOutputStream(folder.resolve("seen.gz"))) {
      cluster.create(PodBuilder.pod("web"));
      cluster.advance(Duration.ofMinutes(1));
      SnapshotFile.write(
          SnapshotReader.read(cluster.cluster().admin(), cluster.cluster().time().now()), file);
    }
  }

  private int run(String words) {
    List<String> all =
        Stream.of(words.split(" ", -1))
            .map(word -> word.replace("FOLDER", folder.toString()))
            .toList();
    return Main.run(all, new Console(new PrintWriter(out), new PrintWriter(err)));
  }

  @Test
  void losesEachZoneInTurnUnlessToldOtherwise() throws IOException {
    assertThat(run("rehearse --snapshot FOLDER/seen.gz --report FOLDER/r.html"))
        .as(err.toString())
        .isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .contains("Each of the zones a, b is lost for half an hour, one after the other.")
        .contains("rehearsal: 2h5m simulated, 4 nodes, 1 pods, 1 evicted, seed 1");
    assertThat(err.toString())
        .contains("not seen: settings of the control plane: no pod of kube-apiserver");
    assertThat(Files.readString(folder.resolve("r.html"))).startsWith("<!doctype html>");
  }

  @Test
  void playsAScenarioOfWhichExpectationsAreChecked() throws IOException {
    Files.writeString(
        folder.resolve("s.yaml"),
        "{duration: 10m, timeline: [{at: 1m, kill: all}], expect: [{evictions: 1}]}");
    assertThat(
            run(
                "rehearse --snapshot FOLDER/seen.gz --scenario FOLDER/s.yaml --report FOLDER/r.html"))
        .isEqualTo(ExitCode.FAILED);
    assertThat(out.toString()).contains("FAILS: evictions = 1 (0 evicted)");
  }

  @Test
  void workloadsThatTheClusterDoesNotHaveAreSaidBeforeAnythingIsPlayed() throws IOException {
    Files.writeString(
        folder.resolve("s.yaml"),
        "{duration: 10m, timeline: [{at: 1m, scale: {workload: wep, replicas: 2}}]}");
    assertThat(run("rehearse --snapshot FOLDER/seen.gz --scenario FOLDER/s.yaml"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("timeline[0]: Invalid value: \"wep\": there is no such workload, but web");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rehearse --snapshot FOLDER/none|There is no snapshot",
        "rehearse --snapshot FOLDER/seen.gz --kubeconfig k|--snapshot and --kubeconfig cannot be combined.",
        "rehearse --snapshot FOLDER/seen.gz --set a=b|--set changes a scenario: give --scenario.",
      })
  void saysWhatIsWrong(String words, String problem) {
    assertThat(run(words)).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains(problem).hasLineCount(1);
  }

  @Test
  void printsTheRoleThatASnapshotNeeds() {
    assertThat(run("snapshot --print-role")).isEqualTo(ExitCode.OK);
    assertThat(out.toString())
        .startsWith("apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\n")
        .contains(
            "  - apiGroups: [\"coordination.k8s.io\"]\n    resources: [leases]\n    verbs: [list]\n")
        .doesNotContain("secrets")
        .doesNotContain("watch");
  }
}
