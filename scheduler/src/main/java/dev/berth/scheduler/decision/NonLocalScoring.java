package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.decision.ProfilePlugins.PreparedFilter;
import dev.berth.scheduler.decision.ProfilePlugins.PreparedScore;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.NodeScore.Normalization;
import dev.berth.scheduler.plugin.Refusal;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the plugins that look at more than one node add to the scores of a pod's class: they reject
 * some of the feasible nodes, and score the others. The arrays are reused for the next pod.
 */
final class NonLocalScoring {
  private final Cluster cluster;
  private int[] totals = new int[0];
  private long[] raw = new long[0];
  private int feasible;

  NonLocalScoring(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Begins with the scores of a pod's class, and filters further.
   *
   * @param filters the non-local ones
   * @return the nodes that these filters reject only because of pods nominated to them
   */
  SortedMap<Integer, Refusal> begin(
      ClassScores scores, List<PreparedFilter> filters, NominatedPodsCheck nominated) {
    int limit = cluster.limit();
    if (totals.length < limit) {
      totals = new int[limit + limit / 4];
      raw = new long[limit + limit / 4];
    }
    System.arraycopy(scores.totals(), 0, totals, 0, limit);
    this.feasible = scores.feasible();
    if (filters.isEmpty()) {
      return Collections.emptySortedMap();
    }
    filter(filters, limit);
    SortedMap<Integer, Refusal> reserved = rejectedForNominated(nominated);
    if (feasible < scores.feasible()) {
      scores.rescale(totals);
    }
    return reserved;
  }

  private SortedMap<Integer, Refusal> rejectedForNominated(NominatedPodsCheck nominated) {
    SortedMap<Integer, Refusal> reserved = new TreeMap<>();
    for (String name : cluster.nominations().nodeNames()) {
      int node = cluster.indexOf(name);
      Refusal refusal = node < 0 || totals[node] < 0 ? null : nominated.refusal(node);
      if (refusal != null) {
        reserved.put(node, refusal);
        exclude(node);
      }
    }
    return reserved;
  }

  private void filter(List<PreparedFilter> filters, int limit) {
    for (PreparedFilter prepared : filters) {
      NodeFilter filter = prepared.filter();
      for (int node = 0; node < limit; node++) {
        if (totals[node] >= 0 && !filter.allows(node)) {
          exclude(node);
        }
      }
    }
  }

  private void exclude(int node) {
    totals[node] = ClassScores.NOT_ALLOWED;
    feasible--;
  }

  void addScores(List<PreparedScore> scores) {
    if (scores.isEmpty() || feasible == 0) {
      return;
    }
    int limit = cluster.limit();
    BitSet allowed = allowed(limit);
    for (PreparedScore score : scores) {
      ask(score.score(), limit);
      normalize(score, raw, allowed);
      add(score.weight(), limit);
    }
  }

  private void ask(NodeScore score, int limit) {
    int[] sums = totals;
    long[] answers = raw;
    for (int node = 0; node < limit; node++) {
      if (sums[node] >= 0) {
        answers[node] = score.score(node);
      }
    }
  }

  private void add(int weight, int limit) {
    int[] sums = totals;
    long[] answers = raw;
    for (int node = 0; node < limit; node++) {
      if (sums[node] >= 0) {
        sums[node] += weight * (int) answers[node];
      }
    }
  }

  private BitSet allowed(int limit) {
    long[] words = new long[(limit + Long.SIZE - 1) / Long.SIZE];
    for (int node = 0; node < limit; node++) {
      int notNegative = ~totals[node] >>> 31;
      words[node / Long.SIZE] |= (long) notNegative << node;
    }
    return BitSet.valueOf(words);
  }

  /** Brings the scores of the allowed nodes to the scale of all scores. */
  static void normalize(PreparedScore score, long[] raw, BitSet allowed) {
    Normalization normalization = score.score().normalization();
    switch (normalization) {
      case NONE -> {}
      case OWN -> score.score().normalize(raw, allowed);
      case SCALED, SCALED_REVERSED -> {
        long greatest = 0;
        for (int node = allowed.nextSetBit(0); node >= 0; node = allowed.nextSetBit(node + 1)) {
          greatest = Math.max(greatest, raw[node]);
        }
        boolean reversed = normalization == Normalization.SCALED_REVERSED;
        for (int node = allowed.nextSetBit(0); node >= 0; node = allowed.nextSetBit(node + 1)) {
          raw[node] = NormalizedColumn.normalized(raw[node], greatest, reversed);
        }
      }
    }
  }

  int[] totals() {
    return totals;
  }

  int feasible() {
    return feasible;
  }
}
