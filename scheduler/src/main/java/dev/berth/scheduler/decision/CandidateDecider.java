package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.decision.NodeCheck.Candidates;
import dev.berth.scheduler.plugin.Refusal;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Decides about a pod that can go to a few nodes only, such as a pod of a DaemonSet. */
record CandidateDecider(Plan plan, PodInfo pod, Cluster cluster) {

  Decision decide(
      NodeCheck check, Candidates candidates, Reservations reservations, RandomGenerator random) {
    BitSet allowed = new BitSet();
    SortedMap<Integer, Refusal> refused = new TreeMap<>();
    for (int node : candidates.nodes()) {
      Refusal refusal = check.check(node);
      if (refusal == null) {
        refusal = reservations.refusal(node);
      }
      if (refusal == null) {
        allowed.set(node);
      } else {
        refused.put(node, refusal);
      }
    }
    return switch (allowed.cardinality()) {
      case 0 -> {
        Explanation why = new Explanation(plan.profile(), pod, cluster, refused);
        yield new Decision.Unschedulable(why.byCandidates(candidates.plugin(), refused));
      }
      case 1 -> new Decision.Placed(allowed.nextSetBit(0), 1, 0);
      default -> best(allowed, random);
    };
  }

  private Decision best(BitSet allowed, RandomGenerator random) {
    List<Plan.Score> scores = plan.allScores(pod, cluster);
    int limit = allowed.length();
    int[] totals = new int[limit];
    for (int node = 0; node < limit; node++) {
      totals[node] = allowed.get(node) ? 0 : ClassScores.NOT_ALLOWED;
    }
    long[] raw = new long[cluster.limit()];
    for (Plan.Score score : scores) {
      allowed.stream().forEach(node -> raw[node] = score.score().score(node));
      NonLocalScoring.normalize(score, raw, allowed);
      allowed.stream().forEach(node -> totals[node] += score.weight() * (int) raw[node]);
    }
    int greatest = Choice.greatest(totals, limit);
    int node = Choice.pick(totals, limit, greatest, random);
    return new Decision.Placed(node, allowed.cardinality(), greatest);
  }
}
