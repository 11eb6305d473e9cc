package dev.berth.scheduler.plugin.affinity;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.affinity.AffinityTerm.Kind;
import dev.berth.scheduler.cluster.affinity.AffinityTerms;
import dev.berth.scheduler.cluster.affinity.PodAffinity;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginArguments;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts pods near other pods and far from others, as {@code podAffinity} and its opposite say. */
public final class InterPodAffinity implements FilterPlugin, ScorePlugin {
  public static final String NAME = "InterPodAffinity";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(
              NAME,
              ExtensionPoint.PRE_FILTER,
              ExtensionPoint.FILTER,
              ExtensionPoint.PRE_SCORE,
              ExtensionPoint.SCORE)
          .weight(2)
          .arguments(
              new PluginArguments(
                  Set.of("hardPodAffinityWeight", "ignorePreferredTermsOfExistingPods"),
                  AffinityArgs::check,
                  args -> PluginArguments.withDefault(args, "hardPodAffinityWeight", 1L)))
          .factory((args, _) -> new InterPodAffinity(AffinityArgs.read(args)));

  private final AffinityArgs args;

  public InterPodAffinity(AffinityArgs args) {
    this.args = args;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> events() {
    return EnumSet.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_LABELS_CHANGED,
        ClusterEventKind.POD_BOUND,
        ClusterEventKind.POD_LABELS_CHANGED,
        ClusterEventKind.POD_GONE,
        ClusterEventKind.WAITING_POD_CHANGED,
        ClusterEventKind.NAMESPACE_CHANGED);
  }

  /**
   * Another pod helps if it comes, or gets labels, so that the waiting pod's affinity is about it;
   * or if it goes, or loses labels, so that anti-affinity is met, the waiting pod's or its own.
   */
  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    if (!(event instanceof PodEvent(ClusterEventKind kind, PodInfo before, PodInfo after))
        || kind == ClusterEventKind.WAITING_POD_CHANGED
        || (before == null && after == null)) {
      return true;
    }
    AffinityTerms terms = cluster.affinityTerms();
    PodAffinity own = terms.of(pod);
    return (after != null && own.isAbout(after, Kind.REQUIRED_AFFINITY, cluster.namespaces()))
        || (before != null
            && (own.isAbout(before, Kind.REQUIRED_ANTI_AFFINITY, cluster.namespaces())
                || terms.of(before).has(Kind.REQUIRED_ANTI_AFFINITY)));
  }

  @Override
  public boolean isLocal() {
    return false;
  }

  @Override
  public @Nullable NodeFilter filter(PodInfo pod, Cluster cluster) {
    PodAffinity affinity = cluster.affinityTerms().of(pod);
    if (affinity.terms().isEmpty() && cluster.affinityTerms().isEmpty()) {
      return null;
    }
    AffinityFilter filter = new AffinityFilter(pod, affinity, cluster);
    return filter.allowsAll() ? null : filter;
  }

  @Override
  public @Nullable NodeScore score(PodInfo pod, Cluster cluster) {
    PodAffinity affinity = cluster.affinityTerms().of(pod);
    boolean prefers =
        affinity.has(Kind.PREFERRED_AFFINITY) || affinity.has(Kind.PREFERRED_ANTI_AFFINITY);
    if (!prefers
        && (args.ignorePreferredTermsOfExistingPods() || cluster.affinityTerms().isEmpty())) {
      return null;
    }
    AffinityScore score = new AffinityScore(cluster);
    score.addPreferences(affinity);
    score.addOthers(pod, args.hardPodAffinityWeight());
    return score.isEmpty() ? null : score;
  }
}
