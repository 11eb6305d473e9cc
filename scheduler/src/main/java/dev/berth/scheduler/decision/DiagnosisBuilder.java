package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.decision.Diagnosis.NodeRefusal;
import dev.berth.scheduler.decision.ProfilePlugins.PreparedFilter;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out why a pod is unschedulable.
 *
 * @param forNominated the nodes that were refused because of pods that are nominated to them
 */
record DiagnosisBuilder(
    Profile profile, PodInfo pod, Cluster cluster, SortedMap<Integer, Refusal> forNominated) {

  /**
   * From what the scores of the pod's class know already, and the non-local filters. These must
   * come after the local ones in the profile, since the first that refuses a node gives its reason.
   */
  Diagnosis fromScores(ClassScores scores, List<PreparedFilter> nonLocal) {
    RefusalCounts counts = new RefusalCounts();
    ReasonsByNode reasons = scores.reasons();
    reasons.addTo(counts);
    forNominated.values().forEach(counts::add);
    BitSet preemptible = new BitSet();
    forNominated.forEach((node, refusal) -> {
      if (refusal.preemptionMayHelp()) {
        preemptible.set(node);
      }
    });
    int[] totals = scores.totals();
    for (int node = 0; scores.feasible() > 0 && node < cluster.limit(); node++) {
      Refusal refusal = totals[node] < 0 ? null : firstRefusal(nonLocal, node);
      if (refusal != null) {
        counts.add(refusal);
        preemptible.set(node, refusal.preemptionMayHelp());
      }
    }
    long decidedAt = cluster.changes().position();
    Supplier<int[]> nodes =
        () ->
            cluster.changes().position() == decidedAt
                ? reasons.preemptible(cluster.limit(), preemptible::get)
                : preemptible();
    return new Diagnosis(cluster.size(), counts, this::refusals, nodes);
  }

  private static @Nullable Refusal firstRefusal(List<PreparedFilter> filters, int node) {
    for (PreparedFilter prepared : filters) {
      if (!prepared.filter().allows(node)) {
        return prepared.filter().refusal(node);
      }
    }
    return null;
  }

  /** By asking every filter about every node. */
  Diagnosis fromEveryNode() {
    RefusalCounts counts = new RefusalCounts();
    refusals().forEach(each -> counts.add(each.refusal()));
    return new Diagnosis(cluster.size(), counts, this::refusals, this::preemptible);
  }

  /** For a pod that can go to a few nodes only. The others are not evaluated. */
  Diagnosis fromCandidates(String plugin, SortedMap<Integer, Refusal> candidates) {
    RefusalCounts counts = new RefusalCounts();
    candidates.values().forEach(counts::add);
    Reason notNamed =
        new Reason(plugin, List.of("node(s) didn't satisfy plugin(s) [" + plugin + "]"), false);
    counts.add(notNamed, cluster.size() - candidates.size());
    int[] preemptible =
        candidates.keySet().stream()
            .mapToInt(node -> node)
            .filter(node -> preemptionMayHelp(candidates.get(node)))
            .toArray();
    return new Diagnosis(cluster.size(), counts, this::refusals, preemptible::clone);
  }

  private static boolean preemptionMayHelp(@Nullable Refusal refusal) {
    return refusal != null && refusal.preemptionMayHelp();
  }

  private List<NodeRefusal> refusals() {
    List<NodeRefusal> all = new ArrayList<>(cluster.size());
    PodFilters filters = new PodFilters(profile, pod, cluster);
    forEachNode(node -> {
      Refusal refusal = refusal(filters, node);
      if (refusal != null) {
        all.add(new NodeRefusal(cluster.node(node).name(), refusal));
      }
    });
    return all;
  }

  private int[] preemptible() {
    PodFilters filters = new PodFilters(profile, pod, cluster);
    return IntStream.range(0, cluster.limit())
        .filter(node -> cluster.exists(node) && preemptionMayHelp(refusal(filters, node)))
        .toArray();
  }

  private @Nullable Refusal refusal(PodFilters filters, int node) {
    Refusal refusal = filters.refusal(node);
    return refusal == null ? forNominated.get(node) : refusal;
  }

  private void forEachNode(IntConsumer action) {
    IntStream.range(0, cluster.limit()).filter(cluster::exists).forEach(action);
  }
}
