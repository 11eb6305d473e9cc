package dev.berth.sim.scenario;

import dev.berth.model.resource.ObjectName;
import java.time.Duration;
import java.util.Optional;

/** What must be true of a simulation for it to pass. */
public sealed interface Expectation {

  String words();

  /** When it begins to be looked at; empty for as soon as it can be. */
  Optional<Duration> after();

  /** Pods of a workload that are ready, at every moment from when it was first complete. */
  record Available(ObjectName workload, Bound bound, Optional<Duration> after)
      implements Expectation {
    @Override
    public String words() {
      return "%s available %s%s".formatted(workload.name(), bound, from(after));
    }
  }

  /** Pods that were evicted, of one workload or of all, in the whole simulation. */
  record Evictions(Optional<ObjectName> workload, Bound bound) implements Expectation {
    @Override
    public Optional<Duration> after() {
      return Optional.empty();
    }

    @Override
    public String words() {
      return "evictions %s%s"
          .formatted(bound, workload.map(name -> " of " + name.name()).orElse(""));
    }
  }

  /** Pods that wait for a node, at every moment from a time on. */
  record Pending(Optional<ObjectName> workload, Bound bound, Optional<Duration> after)
      implements Expectation {
    @Override
    public String words() {
      return "pending %s%s%s"
          .formatted(bound, workload.map(name -> " of " + name.name()).orElse(""), from(after));
    }
  }

  private static String from(Optional<Duration> after) {
    return after.map(time -> " after " + Spans.text(time)).orElse("");
  }
}
