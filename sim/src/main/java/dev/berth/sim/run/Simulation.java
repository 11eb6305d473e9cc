package dev.berth.sim.run;

import dev.berth.client.Api;
import dev.berth.hollow.HollowMachine;
import dev.berth.hollow.HollowSettings;
import dev.berth.sim.ClusterBeginning;
import dev.berth.sim.ControlPlaneSettings;
import dev.berth.sim.CuttableNetwork;
import dev.berth.sim.WholeCluster;
import dev.berth.sim.record.ClusterRecorder;
import dev.berth.sim.record.Recording;
import dev.berth.sim.scenario.NodeGroup;
import dev.berth.sim.scenario.Scenario;
import dev.berth.sim.scenario.ScenarioAction;
import dev.berth.sim.scenario.SimulatedComponent;
import dev.berth.sim.snapshot.SnapshotCluster;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Plays a scenario: the production server, scheduler and controllers with hollow nodes, on virtual
 * time. The same scenario with the same seed gives the same recording.
 */
public final class Simulation implements AutoCloseable {
  private final WholeCluster whole;
  private final CuttableNetwork network = new CuttableNetwork();
  private final ClusterRecorder recorder;
  private final ScenarioPlay play;

  private Simulation(
      Scenario scenario, ControlPlaneSettings settings, UnaryOperator<HollowSettings> change) {
    Optional<SnapshotCluster> found = scenario.snapshot();
    List<HollowMachine> machines =
        Stream.concat(
                found.stream().flatMap(SnapshotCluster::machines),
                scenario.nodes().stream().flatMap(NodeGroup::machines))
            .toList();
    whole =
        new WholeCluster(
            scenario.seed(),
            found.map(SnapshotCluster::beginning).orElse(ClusterBeginning.EMPTY),
            change.apply(nodes(scenario, machines)),
            settings,
            new UnwrittenEvents(network));
    recorder =
        ClusterRecorder.start(
            whole.cluster().admin(),
            whole.cluster().time(),
            settings.controllers().lifecycle().zones());
    play = ScenarioPlay.begin(scenario, new SimulatedCluster(), recorder);
  }

  /**
   * Heartbeats that nobody misses are not sent. Where controllers are cut off, they are: what nodes
   * tell beside the API would go through the partition.
   */
  private static HollowSettings nodes(Scenario scenario, List<HollowMachine> machines) {
    boolean isCut =
        scenario.timeline().stream()
            .anyMatch(entry -> entry.action() instanceof ScenarioAction.Partition);
    HollowSettings nodes = HollowSettings.of(machines);
    return isCut ? nodes : nodes.unsentHeartbeats();
  }

  /**
   * Plays a scenario to its end.
   *
   * @throws dev.berth.model.config.ConfigException if the cluster refuses an object of the scenario
   */
  public static Recording run(
      Scenario scenario, ControlPlaneSettings settings, ScenarioPlay.Progress progress) {
    return run(scenario, settings, UnaryOperator.identity(), progress);
  }

  /**
   * The same.
   *
   * @param change what is different about the nodes
   */
  public static Recording run(
      Scenario scenario,
      ControlPlaneSettings settings,
      UnaryOperator<HollowSettings> change,
      ScenarioPlay.Progress progress) {
    try (Simulation simulation = new Simulation(scenario, settings, change)) {
      simulation.play.play(progress);
      return simulation.recorder.recording();
    }
  }

  /** The cluster as the scenario's actions see it. */
  private final class SimulatedCluster implements ScenarioCluster {
    private Duration elapsed = Duration.ZERO;

    @Override
    public Api api() {
      return whole.cluster().admin();
    }

    @Override
    public Time time() {
      return whole.cluster().time();
    }

    @Override
    public void advanceTo(Duration time) {
      whole.advance(time.minus(elapsed));
      elapsed = time;
    }

    @Override
    public void restart(SimulatedComponent component) {
      whole.restart(name(component));
    }

    @Override
    public void cut(SimulatedComponent component) {
      network.cut(name(component));
    }

    @Override
    public void heal(SimulatedComponent component) {
      network.heal(name(component));
    }

    private static String name(SimulatedComponent component) {
      return switch (component) {
        case CONTROLLERS -> WholeCluster.CONTROLLERS;
        case SCHEDULER -> WholeCluster.SCHEDULER;
      };
    }
  }

  @Override
  public void close() {
    play.close();
    recorder.close();
    whole.close();
  }
}
