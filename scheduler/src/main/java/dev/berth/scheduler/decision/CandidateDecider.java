package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.decision.PodFilters.Candidates;
import dev.berth.scheduler.decision.ProfilePlugins.PreparedScore;
import dev.berth.scheduler.plugin.Refusal;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Decides about a pod that can go to a few nodes only, such as a pod of a DaemonSet. */
record CandidateDecider(ProfilePlugins plugins, PodInfo pod, Cluster cluster) {

  Decision decide(
      PodFilters filters,
      Candidates candidates,
      NominatedPodsCheck nominated,
      RandomGenerator random) {
    BitSet feasible = new BitSet();
    SortedMap<Integer, Refusal> refused = new TreeMap<>();
    for (int node : candidates.nodes()) {
      Refusal refusal = filters.refusal(node);
      if (refusal == null) {
        refusal = nominated.refusal(node);
      }
      if (refusal == null) {
        feasible.set(node);
      } else {
        refused.put(node, refusal);
      }
    }
    return switch (feasible.cardinality()) {
      case 0 -> {
        DiagnosisBuilder builder = new DiagnosisBuilder(plugins.profile(), pod, cluster, refused);
        yield new Decision.Unschedulable(builder.fromCandidates(candidates.plugin(), refused));
      }
      case 1 -> new Decision.Placed(feasible.nextSetBit(0), 1, 0);
      default -> best(feasible, random);
    };
  }

  private Decision best(BitSet feasible, RandomGenerator random) {
    int limit = feasible.length();
    int[] totals = new int[limit];
    for (int node = 0; node < limit; node++) {
      totals[node] = feasible.get(node) ? 0 : ClassScores.NOT_ALLOWED;
    }
    long[] raw = new long[cluster.limit()];
    for (PreparedScore score : plugins.allScores(pod, cluster)) {
      feasible.stream().forEach(node -> raw[node] = score.score().score(node));
      NonLocalScoring.normalize(score, raw, feasible);
      feasible.stream().forEach(node -> totals[node] += score.weight() * (int) raw[node]);
    }
    int greatest = NodePicker.greatest(totals, limit);
    int node = NodePicker.pick(totals, limit, greatest, random);
    return new Decision.Placed(node, feasible.cardinality(), greatest);
  }
}
