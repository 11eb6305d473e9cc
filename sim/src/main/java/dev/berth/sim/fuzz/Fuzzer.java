package dev.berth.sim.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Fault simulation of Berth itself (X8): the production server, scheduler and controllers, two
 * processes of each that elects a leader, with hollow nodes, on virtual time; under crashes, errors
 * and slowness of the store, lost, repeated, slow and late messages, partitions, clocks that jump
 * and nodes that are lost; while users change what they want. Every write of the store is shown to
 * all invariants.
 *
 * <p>A history is a pure function of its seed, its settings and the steps that are left of it.
 */
public final class Fuzzer {
  private final FuzzSettings settings;
  private final FuzzSeams seams;

  public Fuzzer(FuzzSettings settings) {
    this(settings, FuzzSeams.NONE);
  }

  Fuzzer(FuzzSettings settings, FuzzSeams seams) {
    this.settings = settings;
    this.seams = seams;
  }

  /** Plays the whole history of a seed. */
  public FuzzOutcome play(long seed) {
    return play(seed, FuzzPlan.of(seed, settings));
  }

  /** Plays the history of a seed with some of its steps only. */
  public FuzzOutcome play(long seed, Set<Integer> numbers) {
    return play(
        seed,
        FuzzPlan.of(seed, settings).stream()
            .filter(step -> numbers.contains(step.number()))
            .toList());
  }

  private FuzzOutcome play(long seed, List<FuzzStep> steps) {
    return FuzzRun.play(seed, settings, steps, seams);
  }

  /**
   * Leaves out steps of a history that failed, many at once and then fewer, while what is left
   * still fails by the same invariant.
   *
   * @param goesOn asked before each try; when it says no, the shortest so far is the answer
   */
  public FuzzFailure shrink(FuzzFailure found, BooleanSupplier goesOn) {
    FuzzFailure shortest = found;
    int size = Math.max(1, found.steps().size() / 2);
    while (goesOn.getAsBoolean()) {
      FuzzFailure shorter = withoutSome(shortest, size, goesOn);
      boolean isShorter = shorter.steps().size() < shortest.steps().size();
      shortest = shorter;
      if (!isShorter && size == 1) {
        return shortest;
      }
      size = isShorter ? Math.min(size, Math.max(1, shortest.steps().size() / 2)) : size / 2;
    }
    return shortest;
  }

  /** Tries each group of so many steps that follow each other, from the last on. */
  private FuzzFailure withoutSome(FuzzFailure found, int size, BooleanSupplier goesOn) {
    FuzzFailure shortest = found;
    int end = shortest.steps().size();
    while (end > 0 && goesOn.getAsBoolean()) {
      int begin = Math.max(0, end - size);
      List<FuzzStep> left = new ArrayList<>(shortest.steps().subList(0, begin));
      left.addAll(shortest.steps().subList(end, shortest.steps().size()));
      FuzzFailure before = shortest;
      shortest =
          play(found.seed(), left)
              .failure()
              .filter(failure -> failure.invariant().equals(found.invariant()))
              .orElse(before);
      end = Math.min(begin, shortest.steps().size());
    }
    return shortest;
  }
}
