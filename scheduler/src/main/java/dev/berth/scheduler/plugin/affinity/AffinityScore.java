package dev.berth.scheduler.plugin.affinity;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.AffinityTerm;
import dev.berth.scheduler.cluster.affinity.AffinityTerm.Kind;
import dev.berth.scheduler.cluster.affinity.AffinityTerms;
import dev.berth.scheduler.cluster.affinity.PodAffinity;
import dev.berth.scheduler.cluster.affinity.PodSelection;
import dev.berth.scheduler.cluster.node.NodeCounts;
import dev.berth.scheduler.cluster.node.TopologyColumn;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Prefers nodes near pods that preferred affinity is about, of the pod or of theirs, over those
 * near pods that preferred anti-affinity is about.
 *
 * <p>Each pod in a node's domain counts with the weight of the term: the new pod's preferences
 * about it, its preferences about the new pod, and, with a weight of its own, its required affinity
 * to the new pod. The sums are scaled so that the least becomes 0 and the greatest 100.
 */
final class AffinityScore implements NodeScore {
  private final Map<TopologyColumn, long[]> sums = new LinkedHashMap<>();
  private final Cluster cluster;

  AffinityScore(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Whether all nodes are alike. */
  boolean isEmpty() {
    return sums.isEmpty();
  }

  /** What the new pod prefers. */
  void addPreferences(PodAffinity affinity) {
    for (AffinityTerm term : affinity.terms()) {
      long sign =
          switch (term.kind()) {
            case PREFERRED_AFFINITY -> 1;
            case PREFERRED_ANTI_AFFINITY -> -1;
            case REQUIRED_AFFINITY, REQUIRED_ANTI_AFFINITY -> 0;
          };
      if (sign != 0) {
        add(
            term,
            cluster.podCounts().of(PodSelection.all(term.pods())).counts(),
            sign * term.weight());
      }
    }
  }

  /** What pods that are there prefer about the new one. */
  void addOthers(PodInfo pod, long requiredWeight) {
    AffinityTerms terms = cluster.affinityTerms();
    if (requiredWeight > 0) {
      for (AffinityTerms.CountedTerm held : terms.about(pod, Kind.REQUIRED_AFFINITY)) {
        add(held.term(), held.counts(), requiredWeight);
      }
    }
    for (AffinityTerms.CountedTerm held : terms.about(pod, Kind.PREFERRED_AFFINITY)) {
      add(held.term(), held.counts(), held.term().weight());
    }
    for (AffinityTerms.CountedTerm held : terms.about(pod, Kind.PREFERRED_ANTI_AFFINITY)) {
      add(held.term(), held.counts(), -held.term().weight());
    }
  }

  private void add(AffinityTerm term, NodeCounts counts, long weight) {
    if (counts.total() > 0) {
      TopologyColumn topology = cluster.topology(term.topologyKey());
      counts.addTo(sums.computeIfAbsent(topology, t -> new long[t.domains()]), topology, weight);
    }
  }

  @Override
  public long score(int node) {
    long score = 0;
    for (Map.Entry<TopologyColumn, long[]> one : sums.entrySet()) {
      int domain = one.getKey().domain(node);
      if (domain >= 0) {
        score += one.getValue()[domain];
      }
    }
    return score;
  }

  @Override
  public Normalization normalization() {
    return Normalization.OWN;
  }

  @Override
  public void normalize(long[] scores, BitSet feasible) {
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (int node = feasible.nextSetBit(0); node >= 0; node = feasible.nextSetBit(node + 1)) {
      min = Math.min(min, scores[node]);
      max = Math.max(max, scores[node]);
    }
    for (int node = feasible.nextSetBit(0); node >= 0; node = feasible.nextSetBit(node + 1)) {
      scores[node] =
          max == min ? 0 : (long) (ScorePlugin.MAX * ((scores[node] - min) / (double) (max - min)));
    }
  }
}
