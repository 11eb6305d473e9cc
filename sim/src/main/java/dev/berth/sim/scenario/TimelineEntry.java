package dev.berth.sim.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Something that happens, once or again and again.
 *
 * @param at when it happens, or happens first, from the beginning on
 * @param every how long it is from one time to the next; empty if it happens once
 * @param until when it no longer happens; empty for the end of the simulation
 * @param chance how likely it is to happen each time, from 0 to 1
 */
public record TimelineEntry(
    Duration at,
    Optional<Duration> every,
    Optional<Duration> until,
    double chance,
    ScenarioAction action) {

  /** Tells each time at which it may happen in a simulation of a duration. */
  public void times(Duration simulated, Consumer<Duration> each) {
    Duration end = until.filter(u -> u.compareTo(simulated) < 0).orElse(simulated);
    Duration time = at;
    while (time.compareTo(end) <= 0) {
      each.accept(time);
      if (every.isEmpty()) {
        return;
      }
      time = time.plus(every.get());
    }
  }
}
