package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.decision.Diagnosis.NodeRefusal;
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
 * Finds out why a pod can go nowhere.
 *
 * @param reserved the nodes that were refused for the sake of pods that are nominated to them
 */
record Explanation(
    Profile profile, PodInfo pod, Cluster cluster, SortedMap<Integer, Refusal> reserved) {

  /**
   * From what a sheet knows already, and the filters that look further. They must come after the
   * sheet's in the profile, since the first that refuses a node gives its reason.
   */
  Diagnosis bySheet(ClassScores sheet, List<Plan.Filter> filters) {
    Tally tally = new Tally();
    Reasons reasons = sheet.reasons();
    reasons.addTo(tally);
    reserved.values().forEach(tally::add);
    BitSet helpable = new BitSet();
    reserved.forEach((node, refusal) -> {
      if (refusal.preemptionMayHelp()) {
        helpable.set(node);
      }
    });
    int[] totals = sheet.totals();
    for (int node = 0; sheet.feasible() > 0 && node < cluster.limit(); node++) {
      Refusal refusal = totals[node] < 0 ? null : first(filters, node);
      if (refusal != null) {
        tally.add(refusal);
        helpable.set(node, refusal.preemptionMayHelp());
      }
    }
    long decidedAt = cluster.changes().position();
    Supplier<int[]> preemptible =
        () ->
            cluster.changes().position() == decidedAt
                ? reasons.preemptible(cluster.limit(), helpable::get)
                : preemptible();
    return new Diagnosis(cluster.size(), tally, this::refusals, preemptible);
  }

  private static @Nullable Refusal first(List<Plan.Filter> filters, int node) {
    for (Plan.Filter placed : filters) {
      if (!placed.filter().allows(node)) {
        return placed.filter().refusal(node);
      }
    }
    return null;
  }

  /** By asking every filter about every node. */
  Diagnosis byNode() {
    Tally tally = new Tally();
    refusals().forEach(each -> tally.add(each.refusal()));
    return new Diagnosis(cluster.size(), tally, this::refusals, this::preemptible);
  }

  /** For a pod that can go to a few nodes only. The others are not looked at. */
  Diagnosis byCandidates(String plugin, SortedMap<Integer, Refusal> candidates) {
    Tally tally = new Tally();
    candidates.values().forEach(tally::add);
    Reason notNamed =
        new Reason(plugin, List.of("node(s) didn't satisfy plugin(s) [" + plugin + "]"), false);
    tally.add(notNamed, cluster.size() - candidates.size());
    int[] helpable =
        candidates.keySet().stream()
            .mapToInt(node -> node)
            .filter(node -> mayBeHelped(candidates.get(node)))
            .toArray();
    return new Diagnosis(cluster.size(), tally, this::refusals, helpable::clone);
  }

  private static boolean mayBeHelped(@Nullable Refusal refusal) {
    return refusal != null && refusal.preemptionMayHelp();
  }

  private List<NodeRefusal> refusals() {
    List<NodeRefusal> all = new ArrayList<>(cluster.size());
    NodeCheck check = new NodeCheck(profile, pod, cluster);
    forEachNode(node -> {
      Refusal refusal = refusal(check, node);
      if (refusal != null) {
        all.add(new NodeRefusal(cluster.node(node).name(), refusal));
      }
    });
    return all;
  }

  private int[] preemptible() {
    NodeCheck check = new NodeCheck(profile, pod, cluster);
    return IntStream.range(0, cluster.limit())
        .filter(node -> cluster.exists(node) && mayBeHelped(refusal(check, node)))
        .toArray();
  }

  private @Nullable Refusal refusal(NodeCheck check, int node) {
    Refusal refusal = check.check(node);
    return refusal == null ? reserved.get(node) : refusal;
  }

  private void forEachNode(IntConsumer action) {
    IntStream.range(0, cluster.limit()).filter(cluster::exists).forEach(action);
  }
}
