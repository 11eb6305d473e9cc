package dev.berth.scheduler.plugin;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import org.jspecify.annotations.Nullable;

/** A plugin that scores nodes. */
public interface ScorePlugin extends Plugin {
  /** The best score. */
  long MAX = 100;

  /**
   * Prepares the scores for a pod, on the cluster as it is now.
   *
   * @return null if all nodes have the same score
   */
  @Nullable NodeScore score(PodInfo pod, Cluster cluster);

  /** As {@link FilterPlugin#isLocal}, for scores before they are normalized. */
  boolean isLocal();
}
