package dev.berth.sim.scenario;

import dev.berth.model.core.Taint;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What can happen to a simulated cluster. */
public sealed interface ScenarioAction {

  /** What happens, as the story tells it. */
  String words();

  /** Nodes send nothing any more; their pods run on, but nobody hears of them. */
  record Silence(NodeChoice nodes, Optional<Duration> lasts) implements ScenarioAction {
    @Override
    public String words() {
      return nodes.words() + " cut off" + lasting(lasts);
    }
  }

  /** Machines lose power, which the control plane cannot tell from silence. */
  record Kill(NodeChoice nodes, Optional<Duration> lasts) implements ScenarioAction {
    @Override
    public String words() {
      return nodes.words() + " lost" + lasting(lasts);
    }
  }

  /** Nodes that were silent or lost are back, and report no problems. */
  record Restore(NodeChoice nodes) implements ScenarioAction {
    @Override
    public String words() {
      return nodes.words() + " restored";
    }
  }

  /** Nodes go and come back several times. */
  record Flap(NodeChoice nodes, Duration down, Duration up, int times) implements ScenarioAction {
    @Override
    public String words() {
      return "%s flapping %d times, %s down and %s up"
          .formatted(nodes.words(), times, Spans.text(down), Spans.text(up));
    }
  }

  /**
   * Nodes report conditions, such as {@code MemoryPressure}.
   *
   * @param missing how much memory pods of each node have to free, so that some are evicted; empty
   *     if a node just says so
   */
  record Pressure(
      NodeChoice nodes, List<String> conditions, Optional<String> missing, Optional<Duration> lasts)
      implements ScenarioAction {
    public Pressure {
      conditions = List.copyOf(conditions);
    }

    @Override
    public String words() {
      String amount = missing.map(memory -> " (" + memory + " missing)").orElse("");
      return nodes.words() + " with " + String.join(" and ", conditions) + amount + lasting(lasts);
    }
  }

  record AddTaint(NodeChoice nodes, Taint taint) implements ScenarioAction {
    @Override
    public String words() {
      return nodes.words() + " tainted " + taint;
    }
  }

  /** Takes off the taints with a key and, unless it is unknown, an effect. */
  record RemoveTaint(NodeChoice nodes, Taint taint) implements ScenarioAction {
    @Override
    public String words() {
      return "taint " + taint + " removed from " + nodes.words();
    }
  }

  /** Nodes take no new pods, or take them again. */
  record Cordon(NodeChoice nodes, boolean on) implements ScenarioAction {
    @Override
    public String words() {
      return nodes.words() + (on ? " cordoned" : " uncordoned");
    }
  }

  /**
   * Nodes are emptied as {@code kubectl drain} does, some at a time.
   *
   * @param parallel how many nodes at once
   * @param maintenance how long an empty node is down before it is uncordoned; empty if it just
   *     stays cordoned
   * @param timeout how long a node may take; empty for as long as it takes
   */
  record Drain(
      NodeChoice nodes, int parallel, Optional<Duration> maintenance, Optional<Duration> timeout)
      implements ScenarioAction {
    @Override
    public String words() {
      return "drain of %s, %d at a time%s"
          .formatted(
              nodes.words(),
              parallel,
              maintenance.map(span -> ", each then down for " + Spans.text(span)).orElse(""));
    }
  }

  record Apply(List<JsonObject> objects) implements ScenarioAction {
    public Apply {
      objects = List.copyOf(objects);
    }

    @Override
    public String words() {
      return objects.size() == 1
          ? "applied %s %s"
              .formatted(
                  objects.getFirst().text("kind", ""), ObjectName.of(objects.getFirst()).name())
          : "applied " + objects.size() + " objects";
    }
  }

  /**
   * A workload gets more or fewer pods.
   *
   * @param kind of the workload; empty if its name is enough
   */
  record Scale(String kind, ObjectName workload, int replicas) implements ScenarioAction {
    static final List<String> KINDS = List.of("Deployment", "StatefulSet", "ReplicaSet");

    @Override
    public String words() {
      return workload.name() + " scaled to " + replicas;
    }
  }

  /** Components crash and start afresh. */
  record Restart(List<SimulatedComponent> components) implements ScenarioAction {
    public Restart {
      components = List.copyOf(components);
    }

    @Override
    public String words() {
      return SimulatedComponent.words(components) + " restarted";
    }
  }

  /** Components do not reach the API server for a while. */
  record Partition(List<SimulatedComponent> components, Optional<Duration> lasts)
      implements ScenarioAction {
    public Partition {
      components = List.copyOf(components);
    }

    @Override
    public String words() {
      return SimulatedComponent.words(components) + " cut off from the API server" + lasting(lasts);
    }
  }

  /** What was partitioned reaches the API server again. */
  record Heal(List<SimulatedComponent> components) implements ScenarioAction {
    public Heal {
      components = List.copyOf(components);
    }

    @Override
    public String words() {
      return SimulatedComponent.words(components) + " reach the API server again";
    }
  }

  private static String lasting(Optional<Duration> lasts) {
    return lasts.map(span -> " for " + Spans.text(span)).orElse("");
  }
}
