package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.Plugin;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Profile.WeightedScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A profile's plugins, divided into local ones, whose answers for a node are kept until the node
 * changes, and those that look at more than one node and are asked for every pod.
 */
final class ProfilePlugins {
  /** So that the sum of all weighted scores is an int. */
  private static final long MAX_WEIGHT_SUM = Integer.MAX_VALUE / ScorePlugin.MAX;

  private final Profile profile;
  private final List<Plugin> local;

  ProfilePlugins(Profile profile) {
    this.profile = profile;
    this.local = new ArrayList<>();
    profile.filters().stream().filter(FilterPlugin::isLocal).forEach(local::add);
    profile.scores().stream()
        .map(WeightedScore::plugin)
        .filter(ScorePlugin::isLocal)
        .forEach(local::add);
    if (profile.scores().stream().mapToLong(WeightedScore::weight).sum() > MAX_WEIGHT_SUM) {
      throw new IllegalArgumentException(
          "The weights of the scores of profile "
              + profile.schedulerName()
              + " add up to more than "
              + MAX_WEIGHT_SUM);
    }
  }

  Profile profile() {
    return profile;
  }

  /** Changes whenever the kept answers of a local plugin are no longer valid, for any node. */
  long version(Cluster cluster) {
    long version = 0;
    for (int i = 0; i < local.size(); i++) {
      version = 31 * version + local.get(i).version(cluster);
    }
    return version;
  }

  /** The local filters that may reject nodes for a pod. */
  List<PreparedFilter> localFilters(PodInfo pod, Cluster cluster) {
    return filters(pod, cluster, FilterPlugin::isLocal);
  }

  /** The other filters that may reject nodes for a pod. */
  List<PreparedFilter> nonLocalFilters(PodInfo pod, Cluster cluster) {
    return filters(pod, cluster, plugin -> !plugin.isLocal());
  }

  private List<PreparedFilter> filters(
      PodInfo pod, Cluster cluster, Predicate<FilterPlugin> which) {
    List<PreparedFilter> filters = new ArrayList<>();
    List<FilterPlugin> plugins = profile.filters();
    for (int i = 0; i < plugins.size(); i++) {
      if (which.test(plugins.get(i))) {
        NodeFilter filter = plugins.get(i).filter(pod, cluster);
        if (filter != null) {
          filters.add(new PreparedFilter(i, filter));
        }
      }
    }
    return filters;
  }

  List<PreparedScore> localScores(PodInfo pod, Cluster cluster) {
    return scores(pod, cluster, ScorePlugin::isLocal);
  }

  List<PreparedScore> nonLocalScores(PodInfo pod, Cluster cluster) {
    return scores(pod, cluster, plugin -> !plugin.isLocal());
  }

  List<PreparedScore> allScores(PodInfo pod, Cluster cluster) {
    return scores(pod, cluster, _ -> true);
  }

  private List<PreparedScore> scores(PodInfo pod, Cluster cluster, Predicate<ScorePlugin> which) {
    List<PreparedScore> scores = new ArrayList<>();
    for (WeightedScore weighted : profile.scores()) {
      if (which.test(weighted.plugin())) {
        NodeScore score = weighted.plugin().score(pod, cluster);
        if (score != null) {
          scores.add(new PreparedScore(score, Math.toIntExact(weighted.weight())));
        }
      }
    }
    return scores;
  }

  /** A filter prepared for a pod, and its plugin's position in the profile. */
  record PreparedFilter(int position, NodeFilter filter) {}

  /** A score prepared for a pod, and its weight. */
  record PreparedScore(NodeScore score, int weight) {}
}
