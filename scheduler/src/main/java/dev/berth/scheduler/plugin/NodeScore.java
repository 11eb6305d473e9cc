package dev.berth.scheduler.plugin;

import java.util.BitSet;

/** A plugin's scores for one pod. Quick: asked for every node that is allowed. */
public interface NodeScore {
  /** How good a node is; the greater the better, unless {@link #normalization} turns it round. */
  long score(int node);

  Normalization normalization();

  /** How scores become comparable to those of other plugins: 0 to {@link ScorePlugin#MAX}. */
  enum Normalization {
    /** They are. */
    NONE,
    /** Scaled so that the greatest becomes the best; all zero stays zero. */
    SCALED,
    /** Scaled, then turned round: the smallest is the best; all zero becomes the best. */
    SCALED_REVERSED,
    /** The plugin does it by {@link #normalize}. */
    OWN
  }

  /**
   * Brings scores to 0 to {@link ScorePlugin#MAX}, for {@link Normalization#OWN}.
   *
   * @param scores by node; only those of feasible nodes mean anything
   */
  default void normalize(long[] scores, BitSet feasible) {}
}
