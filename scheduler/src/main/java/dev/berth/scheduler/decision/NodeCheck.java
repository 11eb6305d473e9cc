package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All filters of a profile, made ready for one pod and asked node by node: for pods that can go to
 * a few nodes only, and to see what taking pods off a node would help. Whoever changes the cluster
 * meanwhile tells of it by {@link #removed} and {@link #added}.
 */
public final class NodeCheck {
  private final List<NodeFilter> filters = new ArrayList<>();

  /** The names of the plugins behind the filters, in the same order. */
  private final List<String> plugins = new ArrayList<>();

  public NodeCheck(Profile profile, PodInfo pod, Cluster cluster) {
    for (FilterPlugin plugin : profile.filters()) {
      NodeFilter filter = plugin.filter(pod, cluster);
      if (filter != null) {
        filters.add(filter);
        plugins.add(plugin.name());
      }
    }
  }

  /** Why the first filter that does not allow a node refuses it; null if all allow it. */
  public @Nullable Refusal check(int node) {
    for (int i = 0; i < filters.size(); i++) {
      NodeFilter filter = filters.get(i);
      if (!filter.allows(node)) {
        return filter.refusal(node);
      }
    }
    return null;
  }

  /** A pod was taken off a node since this check was made, perhaps only to try it. */
  public void removed(PodInfo pod, int node) {
    filters.forEach(filter -> filter.removed(pod, node));
  }

  /** A pod was put on a node since this check was made, perhaps only to try it. */
  public void added(PodInfo pod, int node) {
    filters.forEach(filter -> filter.added(pod, node));
  }

  /** The only nodes worth asking for, if a filter knows them, and which one does; else null. */
  @Nullable Candidates candidates() {
    Candidates fewest = null;
    for (int i = 0; i < filters.size(); i++) {
      int[] nodes = filters.get(i).candidates();
      if (nodes != null && (fewest == null || nodes.length < fewest.nodes().length)) {
        fewest = new Candidates(plugins.get(i), nodes);
      }
    }
    return fewest;
  }

  /** The only nodes that a plugin may allow. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares these.
  record Candidates(String plugin, int[] nodes) {}
}
