package dev.berth.scheduler.plugin.affinity;

import dev.berth.scheduler.cluster.AffinityTerm.Kind;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodAffinity;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts pods near other pods and far from others, as {@code podAffinity} and its opposite say. */
public final class InterPodAffinity implements FilterPlugin, ScorePlugin {
  public static final String NAME = "InterPodAffinity";

  /** How many times the score counts unless somebody says otherwise. */
  public static final long WEIGHT = 2;

  private final AffinityArgs args;

  public InterPodAffinity(AffinityArgs args) {
    this.args = args;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> wakes() {
    return EnumSet.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_LABELS_CHANGED,
        ClusterEventKind.POD_BOUND,
        ClusterEventKind.POD_LABELS_CHANGED,
        ClusterEventKind.POD_GONE,
        ClusterEventKind.WAITING_POD_CHANGED,
        ClusterEventKind.NAMESPACE_CHANGED);
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
