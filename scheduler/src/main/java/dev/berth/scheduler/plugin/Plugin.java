package dev.berth.scheduler.plugin;

import dev.berth.scheduler.cluster.Cluster;

/** A filter, a score or both, under the name by which configuration files know it. */
public interface Plugin {
  String name();

  /**
   * Changes whenever the answers of a local plugin for all nodes may have changed, because of
   * something that is on no node. Answers that were kept are then dropped.
   */
  default long version(Cluster cluster) {
    return 0;
  }
}
