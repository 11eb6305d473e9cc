package dev.berth.scheduler.plugin;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that can refuse nodes. It also says what may help a pod that it refused: the queue holds
 * such a pod back until then, so a plugin may err on one side only. A pod that is woken for nothing
 * costs an attempt; one that stays asleep although it could be placed is lost.
 *
 * <p>The queue asks once for many waiting pods that are alike: what a plugin answers there may
 * depend on all of a pod's specification, but not on its name, nor on its labels beyond those that
 * {@code matchLabelKeys} or {@code mismatchLabelKeys} name.
 */
public interface FilterPlugin extends Plugin {

  /**
   * Prepares the filter for a pod, on the cluster as it is now.
   *
   * @return null if it refuses no node
   */
  @Nullable NodeFilter filter(PodInfo pod, Cluster cluster);

  /**
   * Whether its answer for a node depends only on the pod's {@code PodClass}, that node and the
   * pods on it. Such answers are kept, and asked for anew only when that node has changed. So is
   * the filter itself: it must look at the cluster when asked, not when it is made.
   */
  boolean isLocal();

  /** Whether, of all pods, only those on a node matter to its answer for that node. */
  default boolean looksAtOneNode() {
    return isLocal();
  }

  /**
   * The names of the only nodes that it may allow for a pod, if it knows them without looking at
   * all nodes, as for a pod that names its node; null if it does not. Upstream's PreFilterResult.
   */
  default @Nullable Set<String> nodeNames(PodInfo pod) {
    return null;
  }

  /**
   * Whether a pod is not to be tried before an event may help it, since something is missing that
   * no node can make up for. Asked whenever the pod is about to be tried. Upstream's PreEnqueue.
   */
  default boolean holds(PodInfo pod, Cluster cluster) {
    return false;
  }

  /** The kinds of events that may help a pod that it refused. Upstream's EventsToRegister. */
  Set<ClusterEventKind> events();

  /**
   * Whether an event, of a kind in {@link #events}, may help a pod that it refused. Upstream's
   * QueueingHintFn.
   */
  default boolean mayHelp(ClusterEvent event, PodInfo pod, Cluster cluster) {
    return true;
  }

  /**
   * Whether a node could be allowed if no pod were on it. The queue asks this of nodes that come or
   * change: one that any filter of the profile does not admit helps no pod, and one that all admit
   * only now is as good as a new one.
   */
  default boolean admits(PodInfo pod, NodeInfo node, Cluster cluster) {
    return true;
  }
}
