package dev.berth.sim.fuzz.invariant;

import java.util.Optional;

/**
 * Something that must hold whatever fails. It keeps what it needs to know up to date by the changes
 * that the store publishes, so that looking at each of them costs little.
 */
public interface Invariant {

  /** What it says, as a clause: {@code no node is over-committed}. */
  String words();

  /**
   * Takes note of a write.
   *
   * @param state with the change already made
   * @return what is wrong now; empty if nothing is
   */
  default Optional<String> changed(StoreChange change, ClusterState state) {
    return Optional.empty();
  }

  /**
   * Judges the cluster once it has converged and nobody has anything left to do.
   *
   * @return what is wrong; empty if nothing is
   */
  default Optional<String> quiet(ClusterState state) {
    return Optional.empty();
  }
}
