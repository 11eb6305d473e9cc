package dev.berth.scheduler.plugin;

import dev.berth.scheduler.cluster.Cluster;
import java.util.Set;

/** Something that speaks for or against nodes; has a name that configuration files know. */
public interface Plugin {
  String name();

  /** What happenings could help a pod that this plugin refused everywhere. */
  Set<ClusterEventKind> wakes();

  /**
   * Changes whenever the answers of a local plugin for all nodes may have changed, because of
   * something that is on no node. What was kept of them is then thrown away.
   */
  default long version(Cluster cluster) {
    return 0;
  }
}
