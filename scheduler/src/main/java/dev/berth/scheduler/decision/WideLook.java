package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore.Normalization;
import java.util.BitSet;
import java.util.List;

/**
 * What the plugins that look at more than one node add to a sheet: they refuse some of the nodes
 * that it allows, and score the others. The arrays are used again for the next pod.
 */
final class WideLook {
  private final Cluster cluster;
  private int[] totals = new int[0];
  private long[] raw = new long[0];
  private int feasible;

  WideLook(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Begins with what a sheet says. */
  void begin(Sheet sheet, List<Plan.Filter> filters) {
    int limit = cluster.limit();
    if (totals.length < limit) {
      totals = new int[limit + limit / 4];
      raw = new long[limit + limit / 4];
    }
    System.arraycopy(sheet.totals(), 0, totals, 0, limit);
    this.feasible = sheet.feasible();
    if (!filters.isEmpty()) {
      filter(filters, limit);
      if (feasible < sheet.feasible()) {
        sheet.narrow(totals);
      }
    }
  }

  private void filter(List<Plan.Filter> filters, int limit) {
    for (Plan.Filter placed : filters) {
      NodeFilter filter = placed.filter();
      for (int node = 0; node < limit; node++) {
        if (totals[node] >= 0 && !filter.allows(node)) {
          exclude(node);
        }
      }
    }
  }

  /** A node is not to be picked, after all. */
  void exclude(int node) {
    totals[node] = Sheet.NOT_ALLOWED;
    feasible--;
  }

  void addScores(List<Plan.Score> scores) {
    if (scores.isEmpty() || feasible == 0) {
      return;
    }
    int limit = cluster.limit();
    BitSet allowed = new BitSet(limit);
    for (int node = 0; node < limit; node++) {
      if (totals[node] >= 0) {
        allowed.set(node);
      }
    }
    for (Plan.Score score : scores) {
      for (int node = 0; node < limit; node++) {
        if (totals[node] >= 0) {
          raw[node] = score.score().score(node);
        }
      }
      normalize(score, raw, allowed);
      for (int node = 0; node < limit; node++) {
        if (totals[node] >= 0) {
          totals[node] += score.weight() * (int) raw[node];
        }
      }
    }
  }

  /** Brings the scores of the allowed nodes to the scale of all scores. */
  static void normalize(Plan.Score score, long[] raw, BitSet allowed) {
    Normalization normalization = score.score().normalization();
    switch (normalization) {
      case NONE -> {}
      case OWN -> score.score().normalize(raw, allowed);
      case SCALED, SCALED_REVERSED -> {
        long greatest = allowed.stream().mapToLong(node -> raw[node]).max().orElse(0);
        boolean reversed = normalization == Normalization.SCALED_REVERSED;
        allowed.stream()
            .forEach(
                node -> raw[node] = NormalizedColumn.normalized(raw[node], greatest, reversed));
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
