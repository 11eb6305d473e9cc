package dev.berth.sim.fuzz;

import java.time.Duration;

/**
 * One step of a history.
 *
 * @param number its place in the whole history of its seed, from 1 on, also when others are left
 *     out
 * @param at how long after the beginning it happens
 */
public record FuzzStep(int number, Duration at, FuzzAction action) {
  @Override
  public String toString() {
    long seconds = at.toSeconds();
    return "%3d  %d:%02d  %s".formatted(number, seconds / 60, seconds % 60, action.words());
  }
}
