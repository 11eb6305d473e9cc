package dev.berth.agent.probe;

import dev.berth.model.tree.JsonObject;
import java.time.Duration;

/**
 * A probe of a specification.
 *
 * @param action the specification itself, of which one field says what to do
 */
record ProbeSpec(
    JsonObject action,
    Duration initialDelay,
    Duration period,
    Duration timeout,
    int successThreshold,
    int failureThreshold) {

  static ProbeSpec read(JsonObject probe) {
    return new ProbeSpec(
        probe,
        seconds(probe, "initialDelaySeconds", 0),
        seconds(probe, "periodSeconds", 10),
        seconds(probe, "timeoutSeconds", 1),
        (int) probe.integer("successThreshold").orElse(1),
        (int) probe.integer("failureThreshold").orElse(3));
  }

  private static Duration seconds(JsonObject probe, String field, long otherwise) {
    return Duration.ofSeconds(probe.integer(field).orElse(otherwise));
  }
}
