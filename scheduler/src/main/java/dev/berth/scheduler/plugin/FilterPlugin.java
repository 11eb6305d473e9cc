package dev.berth.scheduler.plugin;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import org.jspecify.annotations.Nullable;

/** A plugin that can forbid nodes. */
public interface FilterPlugin extends Plugin {

  /**
   * What this plugin has to say about a pod, on the cluster as it is now.
   *
   * @return null if it has nothing against any node
   */
  @Nullable NodeFilter filter(PodInfo pod, Cluster cluster);

  /**
   * Whether its answer for a node depends only on the pod's {@code PodClass}, that node and the
   * pods on it. Such answers are kept, and asked for anew only when that node has changed. So is
   * the filter itself: it must look at the cluster when asked, not when it is made.
   */
  boolean isLocal();
}
