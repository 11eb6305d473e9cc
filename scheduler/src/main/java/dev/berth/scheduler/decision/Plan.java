package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.decision.Profile.WeightedScore;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.Plugin;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A profile's plugins, those whose answers can be kept apart from those that look further. */
final class Plan {
  /** So that the sum of all weighted scores is an int. */
  private static final long MOST_WEIGHT = Integer.MAX_VALUE / ScorePlugin.MAX;

  private final Profile profile;
  private final List<Plugin> local;

  Plan(Profile profile) {
    this.profile = profile;
    this.local = new ArrayList<>();
    profile.filters().stream().filter(FilterPlugin::isLocal).forEach(local::add);
    profile.scores().stream()
        .map(WeightedScore::plugin)
        .filter(ScorePlugin::isLocal)
        .forEach(local::add);
    if (profile.scores().stream().mapToLong(WeightedScore::weight).sum() > MOST_WEIGHT) {
      throw new IllegalArgumentException(
          "The weights of the scores of profile "
              + profile.schedulerName()
              + " add up to more than "
              + MOST_WEIGHT);
    }
  }

  Profile profile() {
    return profile;
  }

  /** Changes whenever a local plugin takes back all its answers. */
  long version(Cluster cluster) {
    long version = 0;
    for (int i = 0; i < local.size(); i++) {
      version = 31 * version + local.get(i).version(cluster);
    }
    return version;
  }

  /** The local filters that have something against nodes for a pod. */
  List<Filter> localFilters(PodInfo pod, Cluster cluster) {
    return filters(pod, cluster, FilterPlugin::isLocal);
  }

  /** The other filters that have something against nodes for a pod. */
  List<Filter> wideFilters(PodInfo pod, Cluster cluster) {
    return filters(pod, cluster, plugin -> !plugin.isLocal());
  }

  private List<Filter> filters(PodInfo pod, Cluster cluster, Predicate<FilterPlugin> which) {
    List<Filter> filters = new ArrayList<>();
    List<FilterPlugin> plugins = profile.filters();
    for (int i = 0; i < plugins.size(); i++) {
      if (which.test(plugins.get(i))) {
        NodeFilter filter = plugins.get(i).filter(pod, cluster);
        if (filter != null) {
          filters.add(new Filter(i, filter));
        }
      }
    }
    return filters;
  }

  List<Score> localScores(PodInfo pod, Cluster cluster) {
    return scores(pod, cluster, ScorePlugin::isLocal);
  }

  List<Score> wideScores(PodInfo pod, Cluster cluster) {
    return scores(pod, cluster, plugin -> !plugin.isLocal());
  }

  List<Score> allScores(PodInfo pod, Cluster cluster) {
    return scores(pod, cluster, _ -> true);
  }

  private List<Score> scores(PodInfo pod, Cluster cluster, Predicate<ScorePlugin> which) {
    List<Score> scores = new ArrayList<>();
    for (WeightedScore weighted : profile.scores()) {
      if (which.test(weighted.plugin())) {
        NodeScore score = weighted.plugin().score(pod, cluster);
        if (score != null) {
          scores.add(new Score(score, Math.toIntExact(weighted.weight())));
        }
      }
    }
    return scores;
  }

  /** A filter made for a pod, and its plugin's place in the profile. */
  record Filter(int place, NodeFilter filter) {}

  /** A score made for a pod, and how much it counts. */
  record Score(NodeScore score, int weight) {}
}
