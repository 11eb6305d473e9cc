package dev.berth.sim.scenario;

import dev.berth.model.tree.JsonObject;
import dev.berth.sim.snapshot.SnapshotCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster, and what happens to it.
 *
 * @param duration how long it is looked at
 * @param snapshot what it begins with; empty for an empty cluster
 * @param nodes beside those of the snapshot
 * @param objects there from the beginning, in the order in which they are created
 * @param settings of the controllers, by kube-controller-manager's flags without their dashes
 * @param timeline what happens, in no particular order
 */
public record Scenario(
    String name,
    String description,
    Duration duration,
    long seed,
    Optional<SnapshotCluster> snapshot,
    List<NodeGroup> nodes,
    List<JsonObject> objects,
    List<Workload> workloads,
    Map<String, String> settings,
    List<TimelineEntry> timeline,
    List<Expectation> expectations) {
  public Scenario {
    nodes = List.copyOf(nodes);
    objects = List.copyOf(objects);
    workloads = List.copyOf(workloads);
    settings = Map.copyOf(settings);
    timeline = List.copyOf(timeline);
    expectations = List.copyOf(expectations);
  }

  public Scenario withSeed(long other) {
    return with(name, other);
  }

  public Scenario named(String other) {
    return with(other, seed);
  }

  private Scenario with(String name, long seed) {
    return new Scenario(
        name,
        description,
        duration,
        seed,
        snapshot,
        nodes,
        objects,
        workloads,
        settings,
        timeline,
        expectations);
  }
}
