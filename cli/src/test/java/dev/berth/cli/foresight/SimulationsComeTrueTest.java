package dev.berth.cli.foresight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.sim.ControlPlaneSettings;
import dev.berth.sim.record.ClusterRecorder;
import dev.berth.sim.run.ScenarioPlay;
import dev.berth.sim.run.Simulation;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.ScenarioFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Row X2: what is simulated on virtual time happens in real time, too. The scenarios of examples,
 * smaller and shorter, are played on {@code berth up --hollow}, and what becomes of it must be
 * among what simulations with ten seeds come to: numbers exactly, times within a tolerance, and in
 * the same order. {@code ./test --real-time} plays all of them, in about seven minutes, {@code
 * -Dberth.real.time} the one that it names; otherwise none is played, since tests beside it may
 * keep a machine busy for longer than the tolerance.
 */
class SimulationsComeTrueTest {
  private static final String WHICH = System.getProperty("berth.real.time", "");
  private static final int SEEDS = 10;

  /** Processes start, requests take their time, and other tests are run beside this one. */
  private static final Duration TOLERANCE = Duration.ofSeconds(5);

  private static final Duration LEASE = Duration.ofSeconds(8);

  /**
   * Longer than the disruption controller takes to count: a pod that is replaced by one of its name
   * before its eviction was counted holds its budget for two minutes, in Kubernetes, too.
   */
  private static final Duration STOP = Duration.ofSeconds(1);

  private static final Map<String, String> SETTINGS =
      Map.of(
          "settings.node-monitor-period", "1s",
          "settings.node-monitor-grace-period", "10s",
          "settings.node-eviction-rate", "0.5");

  private static final String TOLERATE_FOR_8S =
      "[\"node.kubernetes.io/unreachable:NoExecute for 8s\","
          + " \"node.kubernetes.io/not-ready:NoExecute for 8s\"]";
  private static final String TOLERATE_FOR_2S = TOLERATE_FOR_8S.replace("8s", "2s");

  /** By example: what is different about it, so that it is played in a minute. */
  private static final Map<String, Map<String, String>> SHORTENED =
      new TreeMap<>(
          Map.of(
              "taint-by-mistake",
              Map.of(
                  "duration", "24s",
                  "cluster.nodes.general.count", "6",
                  "cluster.nodes.batch.count", "4",
                  "cluster.workloads.web.replicas", "12",
                  "cluster.workloads.report.replicas", "8",
                  "cluster.workloads.patient.replicas", "4",
                  "cluster.workloads.patient.tolerations", "[\"maintenance:NoExecute for 30s\"]",
                  "timeline.0.at", "8s",
                  "timeline.1.at", "16s"),
              "zone-outage",
              Map.of(
                  "duration", "60s",
                  "cluster.nodes.worker.count", "12",
                  "cluster.workloads.web.replicas", "24",
                  "cluster.workloads.web.tolerations", TOLERATE_FOR_8S,
                  "cluster.workloads.api.replicas", "12",
                  "cluster.workloads.api.tolerations", TOLERATE_FOR_2S,
                  "cluster.workloads.db.replicas", "3",
                  "timeline.0.at", "10s",
                  "timeline.1.at", "45s"),
              "rolling-upgrade",
              Map.of(
                  "duration", "75s",
                  "cluster.nodes.worker.count", "6",
                  "cluster.workloads.web.replicas", "12",
                  "cluster.workloads.web.budget", "{maxUnavailable: 2}",
                  "cluster.workloads.queue.replicas", "6",
                  "timeline.0.at", "8s",
                  "timeline.0.drain.parallel", "2",
                  "timeline.0.drain.maintenance", "6s"),
              "memory-pressure-wave",
              Map.of(
                  "duration", "44s",
                  "cluster.nodes.worker.count", "9",
                  "cluster.workloads.web.replicas", "18",
                  "cluster.workloads.scraper.replicas", "6",
                  "timeline.0", "{at: 8s, pressure: {zone: a, type: memory, for: 24s}}",
                  "timeline.1", "{at: 11s, pressure: {zone: b, type: memory, for: 21s}}",
                  "timeline.2",
                      "{at: 14s, pressure: {zone: c, type: memory, missing: 500Mi, for: 18s}}",
                  "timeline.3", "{at: 20s, scale: {workload: web, replicas: 24}}",
                  "timeline.4", "{at: 20s, scale: {workload: scraper, replicas: 9}}"),
              "control-plane-partition",
              Map.of(
                  "duration", "75s",
                  "cluster.nodes.worker.count", "12",
                  "cluster.workloads.web.replicas", "24",
                  "cluster.workloads.web.tolerations", TOLERATE_FOR_8S,
                  "timeline.0",
                      "{at: 10s, partition: {components: [controllers, scheduler], for: 20s}}",
                  "timeline.1", "{at: 12s, silence: {count: 2, zone: a, for: 8s}}",
                  "timeline.2", "{at: 13s, kill: {nodes: [worker-1, worker-2]}}",
                  "timeline.3.at", "60s"),
              "dedicated-gpu-nodes",
              Map.of(
                  "duration",
                  "60s",
                  "cluster.nodes.general.count",
                  "6",
                  "cluster.nodes.gpu.count",
                  "4",
                  "cluster.workloads.web.replicas",
                  "20",
                  "cluster.workloads.training.replicas",
                  "12",
                  "cluster.workloads.training.tolerations",
                  TOLERATE_FOR_8S.replace("[", "[\"nvidia.com/gpu:NoSchedule\", "),
                  "timeline.0.at",
                  "15s",
                  "timeline.1.at",
                  "42s")));

  static Stream<String> scenarios() {
    return WHICH.equals("all")
        ? SHORTENED.keySet().stream()
        : Stream.of(WHICH).filter(which -> !which.isEmpty());
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("scenarios")
  void whatIsSimulatedHappensInRealTime(String name, @TempDir Path folder) throws Exception {
    Scenario scenario = ScenarioFile.read(Path.of("..", "examples", name + ".yaml"), changes(name));
    List<Outcome> simulated =
        LongStream.rangeClosed(1, SEEDS)
            .mapToObj(seed -> simulate(scenario.withSeed(seed)))
            .toList();
    Outcome real = playInRealTime(scenario, folder);
    String all = real.beside(simulated);
    System.out.println(name + ", simulated and in real time:\n" + all);
    assertThat(real.differences(simulated, TOLERANCE)).as(all).isEmpty();
  }

  static Map<String, String> changes(String name) {
    Map<String, String> changes = new TreeMap<>(SETTINGS);
    changes.putAll(SHORTENED.get(name));
    return changes;
  }

  private static Outcome simulate(Scenario scenario) {
    ControlPlaneSettings settings = ScenarioSettings.read(scenario);
    return Outcome.of(
        Simulation.run(
            scenario,
            settings,
            nodes -> nodes.leaseDuration(LEASE).stopLatency(STOP),
            (elapsed, whole) -> {}));
  }

  private static Outcome playInRealTime(Scenario scenario, Path folder) throws Exception {
    ControlPlaneSettings settings = ScenarioSettings.read(scenario);
    try (RealCluster cluster = new RealCluster(scenario, LEASE, STOP, folder)) {
      ClusterRecorder recorder =
          ClusterRecorder.start(
              cluster.api(), cluster.time(), settings.controllers().lifecycle().zones());
      try (ScenarioPlay play = ScenarioPlay.begin(scenario, cluster, recorder)) {
        play.play((elapsed, whole) -> {});
      }
      cluster.stopWatching();
      return Outcome.of(recorder.recording());
    }
  }
}
