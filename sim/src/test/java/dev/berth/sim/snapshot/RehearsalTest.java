package dev.berth.sim.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.Resources;
import dev.berth.model.config.ConfigException;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.ControlPlaneSettings;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.record.PodHistory;
import dev.berth.sim.record.Recording;
import dev.berth.sim.record.WorkloadHistory;
import dev.berth.sim.run.Simulation;
import dev.berth.sim.scenario.OutageOfEachZone;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.ScenarioFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Row X3: the cluster of a snapshot goes on as it was, and suffers what the real one would. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RehearsalTest {
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  private ClusterSnapshot seen;

  @TempDir private Path folder;

  @BeforeAll
  void takeASnapshot() {
    try (AcmeCluster acme = new AcmeCluster()) {
      seen = acme.snapshot();
    }
  }

  private Scenario scenario(ClusterSnapshot snapshot, String yaml) {
    try {
      return ScenarioFile.read(
          Files.writeString(folder.resolve("s.yaml"), yaml),
          Map.of(),
          SnapshotCluster.of(snapshot));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Recording play(Scenario scenario) {
    return Simulation.run(scenario, ControlPlaneSettings.standard(), (elapsed, whole) -> {});
  }

  private static List<String> names(Recording recording) {
    return recording.pods().stream().map(pod -> pod.name().toString()).sorted().toList();
  }

  @Test
  void nothingHappensToAClusterThatIsLeftAlone() {
    Recording recording = play(scenario(seen, "duration: 1h"));
    assertThat(recording.evictions()).isZero();
    assertThat(names(recording))
        .isEqualTo(
            seen.list("pods").stream().map(pod -> ObjectName.of(pod).toString()).sorted().toList());
    assertThat(recording.pods()).allSatisfy(pod -> assertThat(pod.node()).isNotNegative());
    assertThat(recording.workloads().values()).hasSize(3);
    for (WorkloadHistory workload : recording.workloads().values()) {
      WorkloadHistory.Worst worst = workload.worst(0);
      assertThat(worst.available())
          .as(workload.id().toString())
          .isEqualTo(worst.desired())
          .isPositive();
    }
  }

  /** What is rehearsed happens to the very cluster when it is done to it. */
  @Test
  void anOutageIsWhatTheRealClusterWouldSee() {
    String zone = "acme-b";
    Recording recording =
        play(
            scenario(
                seen,
                "{duration: 30m, timeline: [{at: 5m, silence: {zone: %s}}]}".formatted(zone)));
    try (AcmeCluster acme = new AcmeCluster()) {
      acme.whole().advance(Duration.ofMinutes(5));
      acme.whole().silenceZone(zone);
      acme.whole().advance(Duration.ofMinutes(25));
      List<String> terminating =
          acme.whole().cluster().list(Resources.PODS).stream()
              .filter(pod -> Metadata.of(pod).isBeingDeleted())
              .map(pod -> ObjectName.of(pod).toString())
              .sorted()
              .toList();
      assertThat(terminating).isNotEmpty();
      assertThat(
              recording.pods().stream()
                  .filter(PodHistory::wasEvicted)
                  .map(pod -> pod.name().toString())
                  .sorted())
          .isEqualTo(terminating);
    }
  }

  @Test
  void anAnonymisedClusterSuffersTheSame() {
    String outage = "{duration: 30m, timeline: [{at: 5m, kill: {zone: %s}}]}";
    Recording known = play(scenario(seen, outage.formatted("acme-b")));
    ClusterSnapshot anonymous = Anonymiser.anonymise(seen);
    String node = Metadata.of(seen.list("nodes").get(1)).label("topology.kubernetes.io/zone").get();
    assertThat(node).isEqualTo("acme-b");
    String zone =
        Metadata.of(anonymous.list("nodes").get(1)).label("topology.kubernetes.io/zone").get();
    Recording unknown = play(scenario(anonymous, outage.formatted(zone)));
    assertThat(unknown.evictions()).isEqualTo(known.evictions()).isPositive();
    assertThat(unknown.emptied()).isEqualTo(known.emptied());
    assertThat(unknown.pods()).hasSameSizeAs(known.pods());
  }

  /** Wherever they stand in the snapshot: they keep their addresses, which their pods show. */
  @Test
  void podsAreReadyAgainWhenTheirNodesComeBack() {
    Map<String, List<JsonObject>> objects = new HashMap<>();
    seen.resources().forEach(resource -> objects.put(resource, seen.list(resource)));
    objects.put("nodes", seen.list("nodes").reversed());
    ClusterSnapshot turned =
        new ClusterSnapshot(seen.takenAt(), objects, seen.settings(), List.of());
    Recording recording =
        play(
            scenario(
                turned, "{duration: 10m, timeline: [{at: 2m, silence: {zone: acme-b, for: 2m}}]}"));
    assertThat(recording.evictions()).isZero();
    assertThat(recording.workloads().values())
        .allSatisfy(workload ->
            assertThat(workload.worst(0).available()).isLessThan(workload.worst(0).desired()))
        .allSatisfy(workload ->
            assertThat(workload.available().last()).isEqualTo(workload.desired().last()));
  }

  @Test
  void withoutAScenarioEachZoneIsLostInTurn() {
    Scenario scenario = OutageOfEachZone.of(SnapshotCluster.of(seen));
    assertThat(scenario.description())
        .isEqualTo(
            "Each of the zones acme-a, acme-b, acme-c is lost for half an hour, one after the"
                + " other.");
    assertThat(scenario.timeline())
        .extracting(entry -> entry.at().toMinutes() + " " + entry.action().words())
        .containsExactly(
            "5 zone acme-a lost for 30m",
            "65 zone acme-b lost for 30m",
            "125 zone acme-c lost for 30m");
    assertThat(scenario.duration()).isEqualTo(Duration.ofMinutes(185));
  }

  /** A node that was lost when it was seen stays lost until it is restored. */
  @Test
  void nodesKeepTheProblemsThatTheyHad() {
    try (AcmeCluster acme = new AcmeCluster()) {
      acme.whole().silence("ip-10-99-0-4.acme.internal");
      acme.whole().advance(Duration.ofMinutes(3));
      ClusterSnapshot snapshot = acme.snapshot();
      Recording recording =
          play(
              scenario(
                  snapshot,
                  "{duration: 30m, timeline: [{at: 20m, restore: ip-10-99-0-4.acme.internal}]}"));
      // Tainted 40 s after it fell silent, so five minutes of toleration end 2 m 40 s from here.
      assertThat(recording.pods())
          .filteredOn(PodHistory::wasEvicted)
          .isNotEmpty()
          .allSatisfy(pod -> assertThat(pod.evictedAt()).isBetween(2 * MINUTE, 3 * MINUTE));
    }
  }

  /** Pods whose owner nobody saw are not taken for garbage, but are not replaced either. */
  @Test
  void podsOfUnknownOwnersStay() {
    Map<String, List<JsonObject>> objects = new HashMap<>();
    seen.resources().forEach(resource -> objects.put(resource, seen.list(resource)));
    JsonObject orphan =
        seen.list("pods")
            .getFirst()
            .update(
                "metadata",
                metadata ->
                    metadata
                        .with("name", "orphan")
                        .with("uid", "1")
                        .with("labels", JsonObject.EMPTY)
                        .with(
                            "ownerReferences",
                            VirtualCluster.tree(
                                    "{'a':[{'apiVersion':'argoproj.io/v1','kind':'Rollout','name':'r','uid':'2','controller':true}]}")
                                .array("a")));
    objects.put("pods", List.of(orphan));
    ClusterSnapshot snapshot =
        new ClusterSnapshot(seen.takenAt(), objects, Map.of("node-eviction-rate", "1"), List.of());
    SnapshotCluster cluster = SnapshotCluster.of(snapshot);
    assertThat(cluster.warnings())
        .containsExactly(
            "1 pod of the kind Rollout, which no snapshot holds: they are not replaced when they go");
    Scenario scenario = scenario(snapshot, "duration: 1h");
    assertThat(scenario.settings()).containsEntry("node-eviction-rate", "1");
    assertThat(play(scenario).find("acme-shop", "orphan").orElseThrow().available().last())
        .isEqualTo(1);
  }

  @Test
  void aScenarioMayBeginWithASnapshot() throws IOException {
    try (OutputStream out = Files.newOutputStream(folder.resolve("seen.gz"))) {
      SnapshotFile.write(seen, out);
    }
    Path file =
        Files.writeString(
            folder.resolve("with.yaml"),
            "{duration: 2m, cluster: {snapshot: seen.gz, nodes: [{name: more, count: 2}]}}");
    Recording recording = play(ScenarioFile.read(file, Map.of()));
    assertThat(recording.nodes()).hasSize(11);
    assertThat(recording.pods()).hasSize(18 + 2);
    assertThatThrownBy(() -> ScenarioFile.read(file, Map.of(), SnapshotCluster.of(seen)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("cluster.snapshot")
        .hasMessageContaining("the cluster to begin with is given");
  }
}
