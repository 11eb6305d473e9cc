package dev.berth.scheduler.decision;

import dev.berth.scheduler.decision.ProfilePlugins.PreparedScore;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.NodeScore.Normalization;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.Arrays;

/**
 * One plugin's scores of all nodes before they are scaled, and the greatest of them over the
 * allowed nodes, which they are scaled by. It seldom changes, and only then are the scores of all
 * nodes to be made anew.
 */
final class NormalizedColumn {
  /** Of a node that is not allowed. */
  private static final long NONE = -1;

  private final NodeScore score;
  private final int weight;
  private final boolean reversed;
  private long[] raw = new long[0];
  private long max;

  /** How many allowed nodes have the greatest score. */
  private int atMax;

  NormalizedColumn(PreparedScore score) {
    this.score = score.score();
    this.weight = score.weight();
    this.reversed = this.score.normalization() == Normalization.SCALED_REVERSED;
  }

  void grow(int capacity) {
    int from = raw.length;
    raw = Arrays.copyOf(raw, capacity);
    Arrays.fill(raw, from, capacity, NONE);
  }

  /** Asks for a node's score anew. Returns true if the greatest score may have changed. */
  boolean update(int node, boolean allowed) {
    long before = raw[node];
    long now = allowed ? score.score(node) : NONE;
    if (before == now) {
      return false;
    }
    raw[node] = now;
    if (before == max) {
      atMax--;
    }
    if (now == max) {
      atMax++;
    }
    return now > max || atMax == 0;
  }

  /** Finds the greatest score. Returns true if it has changed. */
  boolean findMax(int limit) {
    long before = max;
    max = 0;
    for (int node = 0; node < limit; node++) {
      max = Math.max(max, raw[node]);
    }
    atMax = 0;
    for (int node = 0; node < limit; node++) {
      atMax += raw[node] == max ? 1 : 0;
    }
    return before != max;
  }

  /** The greatest score of the nodes that have a total. */
  long maxOf(int[] totals, int limit) {
    long greatest = 0;
    for (int node = 0; node < limit; node++) {
      greatest = Math.max(greatest, totals[node] < 0 ? 0 : raw[node]);
    }
    return greatest;
  }

  long max() {
    return max;
  }

  int weighted(int node) {
    return weighted(node, max);
  }

  /** What the plugin adds to a node's total if the greatest score is another one. */
  int weighted(int node, long greatest) {
    return weight * (int) normalized(raw[node], greatest, reversed);
  }

  static long normalized(long raw, long greatest, boolean reversed) {
    long scaled = greatest == 0 ? 0 : ScorePlugin.MAX * raw / greatest;
    return reversed ? ScorePlugin.MAX - scaled : scaled;
  }
}
