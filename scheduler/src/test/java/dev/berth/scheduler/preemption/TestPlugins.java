package dev.berth.scheduler.preemption;

import dev.berth.policy.taint.TolerationRules;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.node.NodePorts;
import dev.berth.scheduler.plugin.resources.NodeResourcesFit;
import dev.berth.scheduler.plugin.taint.TaintToleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Profiles to try preemption with, and filters as plain as can be. */
final class TestPlugins {
  private TestPlugins() {}

  /** A refusal that is its texts. */
  record Said(String plugin, List<String> messages, boolean preemptionMayHelp) implements Refusal {}

  /** A filter that says why not, or null. */
  private record Simple(
      String name, boolean isLocal, BiFunction<PodInfo, Cluster, @Nullable Reasons> made)
      implements FilterPlugin {

    @Override
    public Set<ClusterEventKind> events() {
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
              ResourceAmounts wanted = pod.requests();
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

  /** What removing pods changes is calculated. */
  static Profile usual() {
    return profile(
        new TaintToleration(TolerationRules.STANDARD),
        new NodePorts(),
        new NodeResourcesFit(),
        atMost(_ -> 3));
  }

  /** The same with a filter that does not say what of pods matters to it: dry runs are made. */
  static Profile tried() {
    return profile(
        new TaintToleration(TolerationRules.STANDARD),
        new NodePorts(),
        fit("OtherFit"),
        atMost(_ -> 3));
  }
}
