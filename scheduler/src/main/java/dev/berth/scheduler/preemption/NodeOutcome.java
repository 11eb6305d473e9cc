package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.Comparator;
import java.util.List;

/** What preemption comes to on one node. */
sealed interface NodeOutcome {
  /** The node refuses the pod for something that its pods have nothing to do with. */
  Refused NOT_HELPFUL = new Refused(List.of("Preemption is not helpful for scheduling"));

  /** No pod there is of lower priority. */
  Refused NO_VICTIMS = new Refused(List.of("No preemption victims found for incoming pod"));

  /** The pod fits as things are. */
  Refused FITS = new Refused(List.of());

  /** Preemption does not help on the node, and why. */
  record Refused(List<String> reasons) implements NodeOutcome {}

  /**
   * The pod could be there if the victims left. Ordered so that the best comes first:
   *
   * <ol>
   *   <li>the fewest victims whose eviction violates a budget;
   *   <li>the lowest priority of the most important victim;
   *   <li>the smallest sum of priorities, counted from the lowest there is, so that every victim
   *       adds to it;
   *   <li>the fewest victims;
   *   <li>the latest start of the victims of the highest priority, by the earliest of them.
   * </ol>
   */
  record Candidate(List<PodInfo> victims, int violations, long highest, long sum, long started)
      implements NodeOutcome {
    static final Comparator<Candidate> BEST_FIRST =
        Comparator.comparingInt(Candidate::violations)
            .thenComparingLong(Candidate::highest)
            .thenComparingLong(Candidate::sum)
            .thenComparingInt(candidate -> candidate.victims().size())
            .thenComparingLong(candidate -> -candidate.started());

    /** The lowest priority there is, turned into an offset that makes all of them positive. */
    private static final long OFFSET = 1L << 31;

    /**
     * A node with its victims.
     *
     * @param victims at least one, the most important first
     */
    static Candidate of(List<PotentialVictim> victims, int violations) {
      long highest = victims.getFirst().priority();
      long sum = 0;
      long started = Long.MAX_VALUE;
      for (PotentialVictim victim : victims) {
        sum += victim.priority() + OFFSET;
        if (victim.priority() == highest) {
          started = Math.min(started, victim.started());
        }
      }
      return new Candidate(
          victims.stream().map(PotentialVictim::pod).toList(), violations, highest, sum, started);
    }
  }
}
