package dev.berth.serving.health;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * One thing that must be well.
 *
 * @param problem what is wrong now, in words; empty if nothing is
 */
public record HealthCheck(String name, Supplier<Optional<String>> problem) {

  /** Fails until somebody says that something which has to happen after the start has happened. */
  public static HealthCheck untilDone(String name, Supplier<Boolean> done) {
    return new HealthCheck(name, () -> done.get() ? Optional.empty() : Optional.of("not finished"));
  }
}
