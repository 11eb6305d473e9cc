package dev.berth.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hollow.HollowSettings;
import dev.berth.model.config.ConfigException;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.sim.ControlPlaneSettings;
import dev.berth.sim.record.NodeState;
import dev.berth.sim.record.PodHistory;
import dev.berth.sim.record.PodState;
import dev.berth.sim.record.Recording;
import dev.berth.sim.record.StepSeries;
import dev.berth.sim.record.WorkloadHistory;
import dev.berth.sim.report.Judgement;
import dev.berth.sim.report.ReportData;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Row X2: what scenarios do to a cluster, as its recording shows it. */
class SimulationTest {
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  @TempDir private Path folder;

  private Scenario scenario(String yaml) {
    try {
      return ScenarioFile.read(Files.writeString(folder.resolve("s.yaml"), yaml), Map.of());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Recording play(String yaml) {
    return play(scenario(yaml));
  }

  private static Recording play(Scenario scenario) {
    return Simulation.run(scenario, ControlPlaneSettings.standard(), (elapsed, whole) -> {});
  }

  private static WorkloadHistory web(Recording recording) {
    return recording.find("", "web").orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zone-outage",
        "rolling-upgrade",
        "taint-by-mistake",
        "memory-pressure-wave",
        "control-plane-partition",
        "dedicated-gpu-nodes"
      })
  void theExamplesShowWhatTheyExpect(String name) {
    Scenario scenario = ScenarioFile.read(Path.of("..", "examples", name + ".yaml"), Map.of());
    assertThat(scenario.expectations()).isNotEmpty();
    assertThat(Judgement.of(scenario, play(scenario))).allMatch(Judgement::holds);
  }

  /** Pods of a lost node go when they have tolerated it for five minutes. */
  @Test
  void podsOfALostNodeMoveWhenTheirTolerationRunsOut() {
    Recording recording =
        play(
            """
            duration: 15m
            cluster:
              nodes: [{name: node, count: 5}]
              workloads: [{name: web, replicas: 5, spread: node}]
            timeline: [{at: 2m, kill: node-0}]
            """);
    assertThat(recording.pods())
        .filteredOn(PodHistory::wasEvicted)
        .singleElement()
        .satisfies(pod -> {
          assertThat(pod.eviction()).startsWith("DeletionByTaintManager");
          assertThat(pod.evictedAt())
              .as("silence noticed after 40 s, then five minutes of toleration")
              .isBetween(7 * MINUTE + 30_000, 7 * MINUTE + 46_000);
          // Its node never confirms, so it stays.
          assertThat(pod.state()).isEqualTo(PodState.TERMINATING);
        });
    assertThat(web(recording).available().last()).isEqualTo(5);
    assertThat(web(recording).worst(0).available()).isEqualTo(4);
    assertThat(recording.nodes().getFirst().states().last())
        .isEqualTo(NodeState.UNREACHABLE.code());
  }

  @Test
  void aDrainKeepsToTheBudget() {
    Recording recording =
        play(
            """
            duration: 20m
            cluster:
              nodes: [{name: node, count: 4}]
              workloads: [{name: web, replicas: 8, spread: node, budget: {maxUnavailable: 1}}]
            timeline: [{at: 2m, drain: {nodes: [node-0, node-1], parallel: 2}}]
            """);
    assertThat(web(recording).worst(0).available()).isEqualTo(7);
    assertThat(web(recording).evictions()).isEqualTo(4);
    assertThat(recording.nodes())
        .filteredOn(node -> node.states().last() == NodeState.CORDONED.code())
        .extracting("name")
        .containsExactlyInAnyOrder("node-0", "node-1");
    assertThat(recording.notes())
        .filteredOn(note -> note.kind() == Recording.Note.Kind.DRAIN)
        .hasSize(2);
  }

  /** Whoever cannot be written to does nothing; once healed, nodes get their full grace period. */
  @Test
  void nothingIsEvictedWhileControllersAreCutOff() {
    Recording recording =
        play(
            """
            duration: 20m
            cluster:
              nodes: [{name: node, count: 4}]
              workloads: [{name: web, replicas: 8, spread: node, tolerations: ["node.kubernetes.io/unreachable:NoExecute for 10s"]}]
            timeline:
              - {at: 2m, partition: {components: [controllers], for: 8m}}
              - {at: 3m, silence: {node: node-0, for: 5m}}
              - {at: 3m, kill: node-1}
            """);
    assertThat(recording.pods())
        .filteredOn(PodHistory::wasEvicted)
        .hasSize(2)
        .allSatisfy(pod ->
            assertThat(pod.evictedAt())
                .as("healed after ten minutes, then 40 s of grace and 10 s of toleration")
                .isGreaterThan(10 * MINUTE + 50_000));
  }

  /** Row N6: who uses more than requested goes first, until enough is freed, and may come back. */
  @Test
  void nodesThatLackMemoryEvictPodsUntilEnoughIsFreed() {
    Recording recording =
        play(
            """
            duration: 20m
            cluster:
              nodes: [{name: node, count: 1, memory: 32Gi}]
              workloads:
                - {name: web, replicas: 4, requests: {memory: 1Gi}}
                - {name: leak, replicas: 4, requests: {memory: 1Gi}, usage: {memory: 2Gi}}
            timeline:
              - {at: 2m, pressure: {all: true, missing: 3Gi, for: 15m}}
              - at: 3m
                apply: {apiVersion: v1, kind: Pod, metadata: {name: late}, spec: {nodeName: node-0, containers: [{name: c, image: i}]}}
            """);
    assertThat(recording.pods())
        .filteredOn(PodHistory::wasEvicted)
        .as("each frees 2Gi")
        .hasSize(2)
        .allSatisfy(pod -> {
          assertThat(pod.workload().name()).isEqualTo("leak");
          assertThat(pod.state()).isEqualTo(PodState.FAILED);
          assertThat(pod.eviction())
              .startsWith(
                  "TerminationByKubelet: The node was low on resource: memory. "
                      + "Threshold quantity: 100Mi, available: ");
          assertThat(pod.evictedAt()).isBetween(2 * MINUTE, 2 * MINUTE + 2_000);
        });
    assertThat(recording.find("", "leak").orElseThrow().available().last()).isEqualTo(4);
    assertThat(recording.find("", "late").orElseThrow().available().last())
        .as("a pod of the class BestEffort is not admitted")
        .isZero();
    StepSeries states = recording.nodes().getFirst().states();
    assertThat(states.at(7 * MINUTE)).isEqualTo(NodeState.PRESSURE.code());
    assertThat(states.at(8 * MINUTE))
        .as("five minutes after enough was freed")
        .isEqualTo(NodeState.READY.code());
  }

  @Test
  void flappingNodesComeAndGo() {
    Recording recording =
        play(
            """
            duration: 12m
            cluster: {nodes: [{name: node, count: 3}]}
            timeline: [{at: 1m, flap: {node: node-2, down: 1m, up: 2m, times: 3}}]
            """);
    var states = recording.nodes().get(2).states();
    int lost = 0;
    for (int i = 0; i < states.size(); i++) {
      lost += states.value(i) == NodeState.UNREACHABLE.code() ? 1 : 0;
    }
    assertThat(lost).isEqualTo(3);
    assertThat(states.last()).isEqualTo(NodeState.READY.code());
  }

  @Test
  void workloadsStartAndStopAndAreScaledAndApplied() {
    Recording recording =
        play(
            """
            duration: 10m
            cluster:
              nodes: [{name: node, count: 2}]
              workloads:
                - {name: web, replicas: 2, start: 1m, stop: 8m}
                - {name: batch, kind: Job, replicas: 3, runFor: 30s}
                - {name: api, namespace: shop, replicas: 1}
            timeline:
              - {at: 3m, scale: {workload: web, replicas: 4}}
              - {at: 3m, scale: {workload: api, replicas: 2}}
              - at: 4m
                apply: {apiVersion: v1, kind: Pod, metadata: {name: extra}, spec: {containers: [{name: c, image: i}]}}
            """);
    assertThat(web(recording).available().at(2 * MINUTE)).isEqualTo(2);
    assertThat(web(recording).available().at(4 * MINUTE)).isEqualTo(4);
    assertThat(web(recording).available().last()).isZero();
    assertThat(recording.find("shop", "api").orElseThrow().available().last()).isEqualTo(2);
    assertThat(web(recording).desired().last()).as("it was stopped").isZero();
    WorkloadHistory batch = recording.find("", "batch").orElseThrow();
    assertThat(batch.desired().last()).as("it is done").isZero();
    assertThat(batch.worst(0).available()).isEqualTo(3);
    assertThat(recording.find("default", "extra").orElseThrow().available().last()).isEqualTo(1);
    assertThat(recording.pods())
        .filteredOn(pod -> pod.workload().name().equals("batch"))
        .extracting(PodHistory::state)
        .containsOnly(PodState.SUCCEEDED)
        .hasSize(3);
  }

  @Test
  void aPodThatNobodyReplacesIsMissedOnceItIsEvicted() {
    Recording recording =
        play(
            """
            duration: 4m
            cluster: {nodes: [{name: node, count: 1}]}
            timeline:
              - at: 1m
                apply: {apiVersion: v1, kind: Pod, metadata: {name: bare}, spec: {containers: [{name: c, image: i}]}}
              - {at: 2m, taint: {all: true, taint: "down:NoExecute"}}
            """);
    WorkloadHistory bare = recording.find("default", "bare").orElseThrow();
    assertThat(bare.worst(0)).isEqualTo(new WorkloadHistory.Worst(2 * MINUTE, 0, 1));
    assertThat(bare.desired().last()).isEqualTo(1);
  }

  @Test
  void whyAWorkloadHasNoPodsIsSaid() {
    Recording recording =
        play(
            "{duration: 1m, cluster: {nodes: [{}], workloads: [{name: web, priorityClassName:"
                + " none}]}}");
    assertThat(web(recording).completeAt()).isEmpty();
    assertThat(web(recording).failure()).contains("no PriorityClass with name none was found");
  }

  /** At the very end, too, where there is no time left to see what comes of it. */
  @Test
  void allThatHappensAtOnceHappens() {
    Recording recording =
        play(
            "{duration: 1m, cluster: {nodes: [{name: node, count: 2}]}, timeline: [{at: 1m, cordon:"
                + " node-0}, {at: 1m, cordon: node-1}]}");
    assertThat(recording.notes()).hasSize(2);
  }

  @Test
  void theSameSeedGivesTheSameReportAndAnotherSeedAnother() {
    String yaml =
        """
        duration: 10m
        cluster:
          nodes: [{name: node, count: 6, zones: [a, b]}]
          workloads: [{name: web, replicas: 12}]
        timeline:
          - {every: 1m, chance: 0.5, silence: {count: 1, for: 2m}}
        """;
    Scenario scenario = scenario(yaml);
    String first = report(scenario);
    assertThat(report(scenario)).isEqualTo(first);
    assertThat(report(scenario.withSeed(2))).isNotEqualTo(first);
  }

  private static String report(Scenario scenario) {
    JsonObject data = ReportData.of(scenario, play(scenario));
    return JsonWriter.toText(data);
  }

  /** Healthy nodes of simulations renew no leases and post no status, which nobody may notice. */
  @Test
  void leavingOutHeartbeatsChangesNothing() {
    Scenario scenario =
        scenario(
            """
            duration: 40m
            cluster:
              nodes: [{name: node, count: 100, zones: [a, b]}]
              workloads:
                - {name: web, replicas: 200, spread: node}
                - {name: agent, kind: DaemonSet}
            timeline:
              - {at: 3m7s, silence: {zone: a, count: 30, for: 17m}}
              - {at: 5m3s, flap: {node: node-1, down: 50s, up: 70s, times: 4}}
              - {at: 25m, kill: {zone: b}}
              - {at: 30m, restart: controllers}
              - {at: 33m, restore: all}
            """);
    Recording without = play(scenario);
    Recording with =
        Simulation.run(
            scenario,
            ControlPlaneSettings.standard(),
            HollowSettings::sentHeartbeats,
            (elapsed, whole) -> {});
    assertThat(nodes(without)).isEqualTo(nodes(with));
    assertThat(without.emptied()).isEqualTo(with.emptied());
    assertThat(workloads(without)).isEqualTo(workloads(with));
    assertThat(without.evictions()).isEqualTo(with.evictions()).isPositive();
  }

  private static List<String> nodes(Recording recording) {
    return recording.nodes().stream().map(node -> node.name() + text(node.states())).toList();
  }

  private static List<String> workloads(Recording recording) {
    return recording.workloads().values().stream()
        .map(workload -> workload.id() + text(workload.available()) + text(workload.pending()))
        .toList();
  }

  private static String text(StepSeries series) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < series.size(); i++) {
      text.append(' ').append(series.time(i)).append('=').append(series.value(i));
    }
    return text.toString();
  }

  @Test
  void anObjectThatTheClusterRefusesIsSaid() {
    assertThatThrownBy(() ->
            play("{duration: 1m, cluster: {nodes: [{}], workloads: [{name: Web, replicas: 1}]}}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("refuses the Deployment Web")
        .hasMessageContaining("metadata.name");
  }

  /** A selector that is mistyped does not become an outage of nothing. */
  @Test
  void nodesThatAreNotThereAreSaid() {
    assertThatThrownBy(() ->
            play(
                "{duration: 1m, cluster: {nodes: [{count: 2, zones: [a, b]}]},"
                    + " timeline: [{at: 1s, kill: {zone: a, labels: gpu=yes}}]}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("There is none of zone a, nodes with gpu=yes among the 2 nodes");
  }

  /** What a manifest brings is known only when it is there. */
  @Test
  void namesAreLookedForWhenAScenarioBringsNodesOfItsOwn() {
    String scenario =
        "{duration: 1m, cluster: {nodes: [{count: 2}]}, timeline: [%s, {at: 10s, cordon: %s}]}";
    String node = "{at: 1s, apply: {apiVersion: v1, kind: Node, metadata: {name: extra}}}";
    assertThat(play(scenario.formatted(node, "extra")).evictions()).isZero();
    assertThatThrownBy(() -> play(scenario.formatted(node, "exta")))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "node exta cordoned, at 10s: There is no node exta; there are extra, node-0, node-1.");
  }
}
