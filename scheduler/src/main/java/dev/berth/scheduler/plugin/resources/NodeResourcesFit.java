package dev.berth.scheduler.plugin.resources;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import java.util.Set;

/**
 * A node's pods together request no more than it has. Among nodes with room, a strategy says
 * whether those with more or those with less of it are better.
 */
public final class NodeResourcesFit implements FilterPlugin, ScorePlugin {
  public static final String NAME = "NodeResourcesFit";

  private final IgnoredResources ignored;
  private final ScoringStrategy strategy;

  public NodeResourcesFit() {
    this(JsonObject.EMPTY);
  }

  /**
   * From a configuration file.
   *
   * @param arguments {@code NodeResourcesFitArgs}: {@code ignoredResources}, {@code
   *     ignoredResourceGroups}, {@code scoringStrategy}
   * @throws IllegalArgumentException if they make no sense
   */
  public NodeResourcesFit(JsonObject arguments) {
    this.ignored = IgnoredResources.read(arguments);
    this.strategy = ScoringStrategy.read(arguments.object("scoringStrategy"));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<ClusterEventKind> wakes() {
    return Set.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_ALLOCATABLE_CHANGED,
        ClusterEventKind.POD_GONE,
        ClusterEventKind.POD_SCALED_DOWN,
        ClusterEventKind.WAITING_POD_CHANGED);
  }

  @Override
  public boolean isLocal() {
    return true;
  }

  @Override
  public NodeFilter filter(PodInfo pod, Cluster cluster) {
    return FitFilter.of(pod, ignored, cluster);
  }

  @Override
  public NodeScore score(PodInfo pod, Cluster cluster) {
    return new AllocationScore(strategy, pod, cluster);
  }
}
