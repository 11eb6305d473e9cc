package dev.berth.scheduler.plugin;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;

/**
 * A filter that looks at properties of a node alone (its name, labels or taints), whatever pods are
 * on it: {@link #admits} is all it has to say.
 */
public interface NodePropertyPlugin extends FilterPlugin {
  @Override
  boolean admits(PodInfo pod, NodeInfo node, Cluster cluster);

  @Override
  default boolean isLocal() {
    return true;
  }

  /** A node that it admitted before is refused by some other plugin. */
  @Override
  default boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return !(event instanceof ClusterEvent.NodeEvent node)
        || node.before() == null
        || !admits(pod, node.before(), cluster);
  }
}
