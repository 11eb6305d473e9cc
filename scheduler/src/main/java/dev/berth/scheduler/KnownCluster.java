package dev.berth.scheduler;

import dev.berth.model.core.NodeView;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a scheduler takes for the state of the cluster, for whoever compares it with what the server
 * has.
 *
 * @param nodes by their names
 * @param waiting the UIDs of the pods that wait for a node, or are being given one
 */
public record KnownCluster(SortedMap<String, Node> nodes, Set<String> waiting) {

  /**
   * A node.
   *
   * @param pods the UIDs of those that are there, or are being bound
   * @param requested what they take, by resource; cpu in thousandths
   */
  public record Node(NodeView view, Set<String> pods, Map<String, Long> requested) {}

  static KnownCluster of(SchedulerState state) {
    Cluster cluster = state.cluster();
    SortedMap<String, Node> nodes = new TreeMap<>();
    for (int node = 0; node < cluster.limit(); node++) {
      if (cluster.exists(node)) {
        nodes.put(cluster.node(node).name(), node(cluster, node));
      }
    }
    return new KnownCluster(nodes, state.queue().pods());
  }

  private static Node node(Cluster cluster, int node) {
    ResourceTable resources = cluster.resources();
    Map<String, Long> requested = new TreeMap<>();
    for (int column = 0; column < resources.size(); column++) {
      long amount = cluster.requested(column, node);
      if (amount != 0) {
        requested.put(resources.name(column), amount);
      }
    }
    return new Node(
        cluster.node(node).view(),
        cluster.pods(node).stream().map(PodInfo::uid).collect(Collectors.toUnmodifiableSet()),
        requested);
  }
}
