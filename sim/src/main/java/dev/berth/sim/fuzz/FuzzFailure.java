package dev.berth.sim.fuzz;

import java.util.List;

/**
 * A history in which something did not hold.
 *
 * @param invariant what should have held
 * @param at when it did not, on the history's own clock
 * @param what what was there instead
 * @param steps what had happened until then
 */
public record FuzzFailure(
    long seed, String invariant, String at, String what, List<FuzzStep> steps) {
  public FuzzFailure {
    steps = List.copyOf(steps);
  }

  /** The steps, a line each. */
  public List<String> history() {
    return steps.stream().map(FuzzStep::toString).toList();
  }

  /** The numbers of the steps, by which they are asked for again. */
  public List<Integer> numbers() {
    return steps.stream().map(FuzzStep::number).toList();
  }
}
