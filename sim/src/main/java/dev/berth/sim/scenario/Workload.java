package dev.berth.sim.scenario;

import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Something that runs in the cluster.
 *
 * @param objects the workload itself, and after it what belongs to it
 * @param start when it is created, from the beginning on
 * @param stop when it is deleted; empty if it stays
 */
public record Workload(List<JsonObject> objects, Duration start, Optional<Duration> stop) {
  public Workload {
    objects = List.copyOf(objects);
  }
}
