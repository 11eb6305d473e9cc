package dev.berth.scheduler.decision;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.NodeFilter.PodInfluence;
import dev.berth.scheduler.plugin.Profile;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All filters of a profile, prepared for one pod and asked node by node: for pods that can go to a
 * few nodes only, and for preemption. Whoever changes the cluster meanwhile tells of it by {@link
 * #removed} and {@link #added}.
 */
public final class PodFilters {
  private final PodInfo pod;
  private final Cluster cluster;
  private final List<FilterPlugin> plugins = new ArrayList<>();

  /** What the plugins have prepared, in the same order. */
  private final List<NodeFilter> filters = new ArrayList<>();

  public PodFilters(Profile profile, PodInfo pod, Cluster cluster) {
    this.pod = pod;
    this.cluster = cluster;
    for (FilterPlugin plugin : profile.filters()) {
      NodeFilter filter = plugin.filter(pod, cluster);
      if (filter != null) {
        plugins.add(plugin);
        filters.add(filter);
      }
    }
  }

  /** Why the first filter that does not allow a node refuses it; null if all allow it. */
  public @Nullable Refusal refusal(int node) {
    for (int i = 0; i < filters.size(); i++) {
      NodeFilter filter = filters.get(i);
      if (!filter.allows(node)) {
        return filter.refusal(node);
      }
    }
    return null;
  }

  /** Why each filter that does not allow a node refuses it, in their order; for explanations. */
  public List<Refusal> refusals(int node) {
    List<Refusal> all = new ArrayList<>(1);
    for (NodeFilter filter : filters) {
      if (!filter.allows(node)) {
        all.add(filter.refusal(node));
      }
    }
    return all;
  }

  /** Likewise the first, of the filters alone to which the pods on a node do not matter. */
  public @Nullable Refusal refusalRegardlessOfPods(int node) {
    for (int i = 0; i < filters.size(); i++) {
      NodeFilter filter = filters.get(i);
      if (filter.podInfluence() == PodInfluence.NONE && !filter.allows(node)) {
        return filter.refusal(node);
      }
    }
    return null;
  }

  /** Whether pods on a node matter to this one by what they request, and by nothing else. */
  public boolean onlyRequestsMatter() {
    boolean any = false;
    for (NodeFilter filter : filters) {
      switch (filter.podInfluence()) {
        case NONE -> {}
        case REQUESTS -> any = true;
        case ANY -> {
          return false;
        }
      }
    }
    return any;
  }

  /** Whether an answer for a node depends on that node and its pods alone. */
  public boolean areLocal() {
    return plugins.stream().allMatch(FilterPlugin::isLocal);
  }

  /** Changes whenever earlier answers are no longer valid, for any node. */
  public long version() {
    long version = 0;
    for (FilterPlugin plugin : plugins) {
      version = 31 * version + plugin.version(cluster);
    }
    return version;
  }

  /** A pod was taken off a node since this was made, perhaps only to try it. */
  public void removed(PodInfo other, int node) {
    filters.forEach(filter -> filter.removed(other, node));
  }

  /** A pod was put on a node since this was made, perhaps only to try it. */
  public void added(PodInfo other, int node) {
    filters.forEach(filter -> filter.added(other, node));
  }

  /** The only nodes worth asking for, if a plugin knows them, and which one does; else null. */
  @Nullable Candidates candidates() {
    Candidates fewest = null;
    for (FilterPlugin plugin : plugins) {
      Set<String> names = plugin.nodeNames(pod);
      if (names != null) {
        int[] nodes = names.stream().mapToInt(cluster::indexOf).filter(node -> node >= 0).toArray();
        if (fewest == null || nodes.length < fewest.nodes().length) {
          fewest = new Candidates(plugin.name(), nodes);
        }
      }
    }
    return fewest;
  }

  /** The only nodes that a plugin may allow. */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares these.
  record Candidates(String plugin, int[] nodes) {}
}
