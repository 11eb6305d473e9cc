package dev.berth.sim.scenario;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.snapshot.SnapshotCluster;
import java.time.Duration;
import java.util.ArrayList;
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
 * @param settings of the control plane, by flags without their dashes
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

  /** What is written down for after the end, in words: it never happens, or is never looked at. */
  public List<String> afterTheEnd() {
    List<String> words = new ArrayList<>();
    for (TimelineEntry entry : timeline) {
      if (entry.at().compareTo(duration) > 0) {
        words.add("%s, at %s".formatted(entry.action().words(), Spans.text(entry.at())));
      }
    }
    for (Workload workload : workloads) {
      String name = ObjectName.of(workload.objects().getFirst()).name();
      if (workload.start().compareTo(duration) > 0) {
        words.add("start of %s, at %s".formatted(name, Spans.text(workload.start())));
      } else if (workload.stop().filter(stop -> stop.compareTo(duration) > 0).isPresent()) {
        words.add("stop of %s, at %s".formatted(name, Spans.text(workload.stop().get())));
      }
    }
    for (Expectation expectation : expectations) {
      if (expectation.after().filter(after -> after.compareTo(duration) > 0).isPresent()) {
        words.add("expect " + expectation.words());
      }
    }
    return words;
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
