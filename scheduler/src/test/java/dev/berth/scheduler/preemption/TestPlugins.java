package dev.berth.scheduler.preemption;

import dev.berth.policy.taint.RemainingTaints;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Amounts;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.cluster.ResourceTable;
import dev.berth.scheduler.decision.Profile;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.Happening;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Filters as plain as can be, under the names of those they stand for. */
final class TestPlugins {
  private TestPlugins() {}

  /** A refusal that is its texts. */
  record Said(String plugin, List<String> messages, boolean preemptionMayHelp) implements Refusal {}

  /** A filter that says why not, or null. */
  private record Simple(
      String name, boolean isLocal, BiFunction<PodInfo, Cluster, @Nullable Reasons> made)
      implements FilterPlugin {

    @Override
    public Set<Happening> wakes() {
      return Set.of();
    }

    @Override
    public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
      Reasons reasons = made.apply(pod, cluster);
      return reasons == null
          ? null
          : new NodeFilter() {
            @Override
            public boolean allows(int node) {
              return reasons.of(node) == null;
            }

            @Override
            public Refusal refusal(int node) {
              Refusal refusal = reasons.of(node);
              if (refusal == null) {
                throw new IllegalStateException("not refused");
              }
              return refusal;
            }
          };
    }
  }

  private interface Reasons {
    @Nullable Refusal of(int node);
  }

  static FilterPlugin taints() {
    return new Simple(
        "TaintToleration",
        true,
        (pod, cluster) ->
            node ->
                RemainingTaints.of(
                        cluster.node(node).view().taints(),
                        pod.view().spec().tolerations(),
                        TolerationRules.STANDARD)
                    .refusal()
                    .map(taint -> new Said("TaintToleration", List.of("taint"), false))
                    .orElse(null));
  }

  static FilterPlugin fit(String name) {
    return new Simple(
        name,
        true,
        (pod, cluster) ->
            node -> {
              List<String> reasons = new ArrayList<>();
              boolean mayHelp = true;
              if (cluster.requested(ResourceTable.PODS, node) + 1
                  > cluster.allocatable(ResourceTable.PODS, node)) {
                reasons.add("Too many pods");
              }
              Amounts wanted = pod.requests();
              for (int i = 0; i < wanted.size(); i++) {
                long all = cluster.allocatable(wanted.column(i), node);
                if (wanted.amount(i) > all - cluster.requested(wanted.column(i), node)) {
                  reasons.add("Insufficient " + cluster.resources().name(wanted.column(i)));
                  mayHelp &= wanted.amount(i) <= all;
                }
              }
              return reasons.isEmpty() ? null : new Said(name, reasons, mayHelp);
            });
  }

  /** Pods with the same label "apart" are not on the same node. */
  static FilterPlugin apart(boolean local) {
    return new Simple(
        "Apart",
        local,
        (pod, cluster) -> {
          Object mine = pod.labels().get("apart");
          return mine == null
              ? null
              : node ->
                  cluster.pods(node).stream().anyMatch(p -> mine.equals(p.labels().get("apart")))
                      ? new Said("Apart", List.of("too near"), true)
                      : null;
        });
  }

  /**
   * No more than so many pods with the label "zoned" in all, so that nodes depend on each other.
   */
  static FilterPlugin atMost(ToIntFunction<Cluster> limit) {
    return new Simple(
        "AtMost",
        false,
        (pod, cluster) ->
            !pod.labels().has("zoned")
                ? null
                : _ -> {
                  long all = 0;
                  for (int node = 0; node < cluster.limit(); node++) {
                    if (cluster.exists(node)) {
                      all +=
                          cluster.pods(node).stream().filter(p -> p.labels().has("zoned")).count();
                    }
                  }
                  return all >= limit.applyAsInt(cluster)
                      ? new Said("AtMost", List.of("enough"), true)
                      : null;
                });
  }

  static Profile profile(FilterPlugin... filters) {
    return new Profile("default-scheduler", List.of(filters), List.of());
  }

  /** Room is counted. */
  static Profile usual() {
    return profile(taints(), fit("NodeResourcesFit"), apart(true), atMost(_ -> 3));
  }

  /** The same, under a name that keeps preemption from counting: everything is tried out. */
  static Profile tried() {
    return profile(taints(), fit("OtherFit"), apart(true), atMost(_ -> 3));
  }
}
