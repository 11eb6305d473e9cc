package dev.berth.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hollow.HollowMachine;
import dev.berth.model.config.ConfigException;
import dev.berth.model.core.Toleration;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What scenario files may say, and what is said about those that say something else. */
class ScenarioFileTest {
  private static final String SMALLEST = "{duration: 1m, cluster: {nodes: [{count: 2}]}%s}";

  @TempDir private Path folder;

  private Scenario read(String yaml, Map<String, String> changes) {
    try {
      return ScenarioFile.read(Files.writeString(folder.resolve("s.yaml"), yaml), changes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private Scenario read(String yaml) {
    return read(yaml, Map.of());
  }

  /** Before anything is played, which may take minutes. */
  @Test
  void whatIsNamedMustBeThere() {
    String scenario =
        "{duration: 5m, cluster: {nodes: [{count: 2, zones: [a, b]}, {name: gpu, zones: [a]}],"
            + " workloads: [{name: web}]}, timeline: [%s], expect: [%s]}";
    assertThatThrownBy(() ->
            read(
                scenario.formatted(
                    "{at: 1m, kill: {zone: c}}, {at: 1m, cordon: node-2}, {at: 1m, restore: {group:"
                        + " cpu}}, {at: 1m, scale: {workload: wep, replicas: 1}}",
                    "{workload: wep, available: 1}, {evictions: 0}")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "timeline[0]: Invalid value: \"zone c\": There is no zone c; there are a, b.")
        .hasMessageContaining(
            "timeline[1]: Invalid value: \"node node-2\": There is no node node-2; there are gpu-0,"
                + " node-0, node-1.")
        .hasMessageContaining(
            "timeline[2]: Invalid value: \"group cpu\": There is no group cpu; there are gpu,"
                + " node.")
        .hasMessageContaining(
            "timeline[3]: Invalid value: \"wep\": there is no such workload, but web")
        .hasMessageContaining(
            "expect[0]: Invalid value: \"wep\": there is no such workload, but web");
    assertThat(
            read(scenario.formatted(
                    "{at: 1m, apply: {apiVersion: apps/v1, kind: Deployment, metadata: {name:"
                        + " later}}}, {at: 2m, scale: {workload: later, replicas: 1}}, {at: 1m,"
                        + " kill: {zone: b}}",
                    "{workload: later, available: 1}"))
                .timeline())
        .hasSize(3);
  }

  @Test
  void groupsOfNodesHaveNamesThatNodesCanHaveAndNoTwoTheSame() {
    assertThatThrownBy(
            () -> read("{duration: 1m, cluster: {nodes: [{name: Web_1}, {name: a}, {name: a}]}}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "cluster.nodes[0].name: Invalid value: \"Web_1\": a lowercase RFC 1123")
        .hasMessageContaining("cluster.nodes[2].name: Invalid value: \"a\": must be different");
  }

  @Test
  void nodesOfAGroupTakeTurnsInItsZones() {
    Scenario scenario =
        read(
            "{duration: 1m, cluster: {nodes: [{name: w, count: 3, zones: [a, b], cpu: 2,"
                + " resources: {nvidia.com/gpu: 4}, taints: ['x=y:NoSchedule']}]}}");
    List<HollowMachine> machines = scenario.nodes().getFirst().machines().toList();
    assertThat(machines).extracting(HollowMachine::name).containsExactly("w-0", "w-1", "w-2");
    assertThat(machines)
        .extracting(machine -> machine.labels().text(WellKnownLabels.ZONE))
        .containsExactly("a", "b", "a");
    assertThat(machines.getFirst().amounts().toStrings())
        .containsEntry("cpu", "2")
        .containsEntry("nvidia.com/gpu", "4");
    assertThat(machines.getFirst().taints().objects().getFirst().toStrings())
        .containsEntry("key", "x")
        .containsEntry("effect", "NoSchedule");
  }

  @Test
  void aWorkloadBecomesObjectsOfKubernetes() {
    Scenario scenario =
        read(
            "{duration: 1m, cluster: {nodes: [{}], workloads: [{name: db, kind: StatefulSet,"
                + " replicas: 3, requests: {cpu: 1}, tolerations: ['k=v:NoExecute for 30s'], budget:"
                + " {maxUnavailable: 1}, start: 10s, stop: 50s}]}}");
    Workload workload = scenario.workloads().getFirst();
    assertThat(workload.start()).isEqualTo(Duration.ofSeconds(10));
    assertThat(workload.stop()).contains(Duration.ofSeconds(50));
    JsonObject set = workload.objects().getFirst();
    assertThat(set.text("kind")).isEqualTo("StatefulSet");
    assertThat(set.object("spec").integer("replicas")).hasValue(3);
    JsonObject pod = set.object("spec").object("template").object("spec");
    assertThat(Toleration.list(pod.array("tolerations")))
        .singleElement()
        .satisfies(toleration -> {
          assertThat(toleration.key()).isEqualTo("k");
          assertThat(toleration.value()).isEqualTo("v");
          assertThat(toleration.tolerationSeconds()).isEqualTo(30);
        });
    assertThat(workload.objects().get(1).text("kind")).isEqualTo("PodDisruptionBudget");
  }

  @Test
  void someComponentsOrAllAreHealed() {
    String healing = ", timeline: [{at: 1m, heal: %s}]";
    assertThat(healed(healing.formatted("all"))).containsExactly(SimulatedComponent.values());
    assertThat(healed(healing.formatted("{components: [scheduler]}")))
        .containsExactly(SimulatedComponent.SCHEDULER);
    assertThat(healed(healing.formatted("controllers")))
        .containsExactly(SimulatedComponent.CONTROLLERS);
  }

  private List<SimulatedComponent> healed(String timeline) {
    ScenarioAction action = read(SMALLEST.formatted(timeline)).timeline().getFirst().action();
    return ((ScenarioAction.Heal) action).components();
  }

  /** A daemon set has as many pods as nodes, and a job as many as it needs. */
  @Test
  void onlyWhatHasReplicasIsScaled() {
    assertThatThrownBy(() ->
            read(
                "{duration: 5m, cluster: {nodes: [{}], workloads: [{name: agent, kind: DaemonSet}]},"
                    + " timeline: [{at: 1m, scale: {workload: agent, replicas: 1}}]}"))
        .hasMessageContaining(
            "timeline[0]: Invalid value: \"agent\": is no Deployment, StatefulSet, ReplicaSet, which"
                + " can be scaled");
  }

  @Test
  void workloadsThatStartOrStopAfterTheEndAreSaid() {
    Scenario scenario =
        read(
            "{duration: 5m, cluster: {nodes: [{}], workloads: [{name: a, start: 10m}, {name: b,"
                + " stop: 20m}]}}");
    assertThat(scenario.afterTheEnd()).containsExactly("start of a, at 10m", "stop of b, at 20m");
  }

  @Test
  void somethingCanHappenAgainAndAgain() {
    Scenario scenario =
        read(
            SMALLEST.formatted(
                ", timeline: [{every: 10s, until: 35s, chance: 0.5, kill: {percent: 5}}]"));
    TimelineEntry entry = scenario.timeline().getFirst();
    List<Duration> times = new ArrayList<>();
    entry.times(scenario.duration(), times::add);
    assertThat(times)
        .containsExactly(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(30));
    assertThat(entry.chance()).isEqualTo(0.5);
  }

  @Test
  void manifestsOfADirectoryAreReadInTheOrderOfTheirNames() throws IOException {
    Path manifests = Files.createDirectory(folder.resolve("m"));
    Files.writeString(
        manifests.resolve("b.yaml"),
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n---\n# nothing\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: c}}\n");
    Files.writeString(manifests.resolve("a.json"), "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}");
    Files.writeString(manifests.resolve("README.md"), "no manifest");
    Scenario scenario = read("{duration: 1m, cluster: {nodes: [{}], manifests: m}}");
    assertThat(scenario.objects())
        .extracting(object -> object.text("kind"))
        .containsExactly("Pod", "ConfigMap", "Secret");
  }

  @Test
  void aScenarioCanBeChangedByPaths() {
    String yaml =
        "{duration: 1m, cluster: {nodes: [{name: node}], workloads: [{name: web, replicas: 2}]}}";
    Scenario changed =
        read(
            yaml,
            Map.of("cluster.workloads.web.replicas", "5", "settings.node-eviction-rate", "1.5"));
    JsonObject web = changed.workloads().getFirst().objects().getFirst();
    assertThat(web.object("spec").integer("replicas")).hasValue(5);
    assertThat(changed.settings()).containsEntry("node-eviction-rate", "1.5");
    assertThatThrownBy(() -> read(yaml, Map.of("cluster.workloads.api.replicas", "1")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("nothing named \"api\"");
    assertThatThrownBy(() -> read(yaml, Map.of(".", "1")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("must be a path such as settings.node-eviction-rate");
    String odd = "{duration: 1m, cluster: {nodes: [{name: no}]}}";
    assertThatThrownBy(() -> read(odd, Map.of("cluster.nodes.x.count", "1")))
        .hasMessageContaining("nothing named \"x\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timeline: [{at: 1m}]                       | an entry says one thing that happens",
        "timeline: [{silence: all}]                 | timeline[0].at: Required value",
        "timeline: [{at: x, silence: all}]          | must be a duration such as 40s",
        "timeline: [{at: 1m, silence: {}}]          | say which nodes",
        "timeline: [{at: 1m, silence: {zon: a}}]    | timeline[0].silence.zon: Forbidden: unknown field",
        "timeline: [{at: 1m, pressure: {zone: a, type: heat}}] | must be memory, disk, pid or network",
        "timeline: [{at: 1m, pressure: {zone: a, type: disk, missing: 1Gi}}] | is about memory; say type: memory",
        "timeline: [{at: 1m, taint: {zone: a, taint: 'a:b'}}]  | must be a taint such as",
        "timeline: [{at: 1m, taint: {all: true, taint: 'a b:NoExecute'}}] | name part must consist of",
        "timeline: [{at: 1m, kill: {percent: 0}}]   | must be more than 0",
        "timeline: [{at: 1m, kill: {percent: 200}}] | must be a number between 0 and 100",
        "timeline: [{at: 1m, until: 2m, kill: all}] | timeline[0].every: Required value: what happens once has no until",
        "timeline: [{at: 2m, every: 10s, until: 1m, kill: all}] | must not be before it happens first, at 2m",
        "timeline: [{at: 1m, flap: {zone: a, up: 0}}] | must be at least 1s",
        "timeline: [{at: 1m, heal: kubelet}]        | must be controllers, scheduler",
        "timeline: [{at: 1m, restart: kubelet}]     | must be controllers, scheduler",
        "timeline: [{at: 1m, scale: {replicas: 1}}] | the name of a workload",
        "timeline: [{every: 1ms, silence: all}]     | must be at least 1s",
        "timeline: [{at: 1m, apply: {kind: Pod}}]   | an object says its apiVersion, kind and metadata.name",
        "timeline: [{at: 1m, apply: {kind: Pod, apiVersion: v1, metadata: {}}}] | an object says its apiVersion",
        "expect: [{workload: a}]                    | an expectation is about available, evictions or pending",
        "expect: [{available: 1}]                   | whose pods are to be available",
        "expect: [{evictions: few}]                 | must be a bound such as",
        "expect: [{evictions: 5%}]                  | must be a number of pods",
        "expect: [{pending: 0 after lunch}]         | must be a duration such as 20m",
        "unknown: 1                                 | unknown: Forbidden: unknown field",
      })
  void whatIsWrongIsSaidWithItsPlace(String wrong, String message) {
    assertThatThrownBy(() -> read(SMALLEST.formatted(", " + wrong)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is not a valid scenario")
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{cluster: {nodes: [{}]}}                                        | how long to simulate",
        "{duration: 0s, cluster: {nodes: [{}]}}                          | must be between",
        "{duration: 1m}                                                  | at least one group of nodes",
        "{duration: 1m, cluster: {nodes: [{cpu: much}]}}                 | must be a quantity",
        "{duration: 1m, cluster: {nodes: [{count: 0}]}}                  | not in valid range",
        "{duration: 1m, cluster: {nodes: [{labels: {a b: c}}]}}          | cluster.nodes[0].labels.a b: Invalid value",
        "{duration: 1m, cluster: {nodes: [{zones: [a b]}]}}              | cluster.nodes[0].zones: Invalid value: \"a b\"",
        "{duration: 1m, cluster: {nodes: [{taints: ['a:NoSchedule', 'b=c d:NoSchedule']}]}} | a valid label must be an empty string",
        "{duration: 1m, cluster: {nodes: [{}], workloads: [{name: a, start: 9s, stop: 8s}]}} | must be after the start",
        "{duration: 1m, cluster: {nodes: [{}], workloads: [{}]}}         | a workload needs a name",
        "{duration: 1m, cluster: {nodes: [{}], workloads: [{name: a, kind: Pod}]}} | must be Deployment",
        "{duration: 1m, cluster: {nodes: [{}], workloads: [{name: a, budget: {}}]}} | either minAvailable or maxUnavailable",
        "{duration: 1m, cluster: {nodes: [{}], workloads: [{name: a, spread: rack}]}} | must be zone or node",
        "{duration: 1m, cluster: {nodes: [{name: n}]}}                   | put it in quotes, since YAML takes n, no,",
        "~                                                               | is empty",
        "[1]                                                             | must hold an object",
        "{duration: 1m                                                   | is neither YAML nor JSON",
      })
  void aFileThatIsNoScenarioIsRefused(String yaml, String message) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void allThatIsWrongIsSaidAtOnce() {
    assertThatThrownBy(() -> read("{duration: x, cluster: {nodes: [{cpu: y}]}, expect: [{}]}"))
        .hasMessageContaining("duration")
        .hasMessageContaining("cluster.nodes[0].cpu")
        .hasMessageContaining("expect[0]");
  }

  @ParameterizedTest
  @CsvSource({
    "'>= 80%', 8, 10, true",
    "'>= 80%', 7, 10, false",
    "'<5', 4, 0, true",
    "'<5', 5, 0, false",
    "0, 0, 0, true",
    "'= 3', 2, 0, false",
    "'> 1', 2, 0, true",
    "'<= 2', 3, 0, false",
  })
  void aBoundComparesWithAShareOfWhatIsWanted(String text, long value, long whole, boolean holds) {
    assertThat(Bound.parse(text).orElseThrow().holds(value, whole)).isEqualTo(holds);
  }
}
