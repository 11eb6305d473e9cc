package dev.berth.scheduler.plugin.resources;

import dev.berth.model.core.ResourceList;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import dev.berth.scheduler.plugin.ClusterEvent;
import dev.berth.scheduler.plugin.ClusterEvent.DeviceClaimEvent;
import dev.berth.scheduler.plugin.ClusterEvent.NodeEvent;
import dev.berth.scheduler.plugin.ClusterEvent.ObjectEvent;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeScore;
import dev.berth.scheduler.plugin.ScorePlugin;
import dev.berth.scheduler.plugin.config.ExtensionPoint;
import dev.berth.scheduler.plugin.config.PluginArguments;
import dev.berth.scheduler.plugin.config.PluginDefinition;
import java.util.Set;

/**
 * A node's pods together request no more than it has. Among feasible nodes, a strategy says whether
 * those with more or those with less left are better.
 */
public final class NodeResourcesFit implements FilterPlugin, ScorePlugin {
  public static final String NAME = "NodeResourcesFit";

  public static final PluginDefinition DEFINITION =
      PluginDefinition.of(
              NAME,
              ExtensionPoint.PRE_FILTER,
              ExtensionPoint.FILTER,
              ExtensionPoint.PRE_SCORE,
              ExtensionPoint.SCORE)
          .weight(1)
          .arguments(
              new PluginArguments(
                  Set.of("ignoredResources", "ignoredResourceGroups", "scoringStrategy"),
                  FitArguments::check,
                  FitArguments::withDefaults))
          .factory((args, _) -> new NodeResourcesFit(args));

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
  public Set<ClusterEventKind> events() {
    return Set.of(
        ClusterEventKind.NODE_ADDED,
        ClusterEventKind.NODE_ALLOCATABLE_CHANGED,
        ClusterEventKind.POD_GONE,
        ClusterEventKind.POD_SCALED_DOWN,
        ClusterEventKind.DEVICE_CLASS_CHANGED,
        ClusterEventKind.WAITING_POD_CHANGED);
  }

  /** A class of devices may stand for a resource that nodes do not have. */
  @Override
  public long version(Cluster cluster) {
    return cluster.devices().classVersion();
  }

  /**
   * A node helps if it has more of something that the pod requests, a pod if it leaves or requests
   * less of that, and a change of the waiting pod if it requests less itself.
   */
  @Override
  public boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return switch (event) {
      case NodeEvent(ClusterEventKind kind, NodeInfo before, NodeInfo after) ->
          kind != ClusterEventKind.NODE_ALLOCATABLE_CHANGED
              || before == null
              || after == null
              || hasMore(pod, before, after, cluster);
      case PodEvent(ClusterEventKind kind, PodInfo before, PodInfo after) ->
          before == null
              || after == null
              || after.view().phase().finished()
              || requestsLess(
                  kind == ClusterEventKind.WAITING_POD_CHANGED ? before : pod, before, after);
      case ObjectEvent _, DeviceClaimEvent _ -> true;
    };
  }

  private static boolean hasMore(PodInfo pod, NodeInfo before, NodeInfo after, Cluster cluster) {
    ResourceAmounts requests = pod.requests();
    boolean more = hasMore(ResourceList.PODS, before, after);
    for (int i = 0; i < requests.size(); i++) {
      more |= hasMore(cluster.resources().name(requests.column(i)), before, after);
    }
    return more;
  }

  private static boolean hasMore(String resource, NodeInfo before, NodeInfo after) {
    return after.allocatable().get(resource).compareTo(before.allocatable().get(resource)) > 0;
  }

  private static boolean requestsLess(PodInfo pod, PodInfo before, PodInfo after) {
    ResourceAmounts requests = pod.requests();
    for (int i = 0; i < requests.size(); i++) {
      int column = requests.column(i);
      if (after.requests().get(column) < before.requests().get(column)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean admits(PodInfo pod, NodeInfo node, Cluster cluster) {
    ResourceAmounts requests = pod.requests();
    for (int i = 0; i < requests.size(); i++) {
      int column = requests.column(i);
      String resource = cluster.resources().name(column);
      long has = ResourceTable.amount(column, node.allocatable().get(resource));
      boolean isClaimed = has == 0 && cluster.devices().classFor(resource) != null;
      if (!ignored.contains(resource) && !isClaimed && requests.amount(i) > has) {
        return false;
      }
    }
    return true;
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
