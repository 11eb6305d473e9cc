package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.cluster.ResourceTable;
import dev.berth.scheduler.decision.Profile;
import dev.berth.scheduler.plugin.FilterPlugin;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filters that have something to say about a pod, and what kind of thing that is: it decides
 * how cheaply victims can be found.
 */
final class PodFilters {
  static final String RESOURCES = "NodeResourcesFit";

  /** Filters that look at the node alone: taking pods off it changes nothing. */
  private static final Set<String> REGARDLESS_OF_PODS =
      Set.of("NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity", "VolumeZone");

  /** A filter, and where it came from. */
  private record Asked(FilterPlugin plugin, NodeFilter filter) {}

  private final List<Asked> all = new ArrayList<>();
  private final List<Asked> regardless = new ArrayList<>();
  private final boolean onlyRoom;
  private final boolean local;
  private final long version;

  PodFilters(Profile profile, PodInfo pod, Cluster cluster) {
    boolean others = false;
    boolean resources = false;
    boolean everyLocal = true;
    long versions = 0;
    for (FilterPlugin plugin : profile.filters()) {
      NodeFilter filter = plugin.filter(pod, cluster);
      if (filter == null) {
        continue;
      }
      Asked asked = new Asked(plugin, filter);
      all.add(asked);
      everyLocal &= plugin.isLocal();
      versions = 31 * versions + plugin.version(cluster);
      if (plugin.name().equals(RESOURCES)) {
        resources = true;
      } else if (REGARDLESS_OF_PODS.contains(plugin.name())) {
        regardless.add(asked);
      } else {
        others = true;
      }
    }
    local = everyLocal;
    version = versions;
    onlyRoom = resources && !others && asksOnlyWhatIsAlwaysCounted(pod);
  }

  /** Extended resources may be left to others by configuration, so the filter has to be asked. */
  private static boolean asksOnlyWhatIsAlwaysCounted(PodInfo pod) {
    for (int i = 0; i < pod.requests().size(); i++) {
      if (pod.requests().column(i) > ResourceTable.PODS) {
        return false;
      }
    }
    return true;
  }

  /** Whether the only thing that pods on a node can do to this pod is to take up room. */
  boolean onlyRoom() {
    return onlyRoom;
  }

  /** Whether an answer for a node depends on that node and its pods alone. */
  boolean local() {
    return local;
  }

  /** Another one means that answers for all nodes may have changed. */
  long version() {
    return version;
  }

  /** Why the first filter that does not allow a node refuses it; null if all allow it. */
  @Nullable Refusal refusal(int node) {
    return refusal(all, node);
  }

  /** Likewise, but only filters to which the node's pods do not matter. */
  @Nullable Refusal refusalRegardlessOfPods(int node) {
    return refusal(regardless, node);
  }

  private static @Nullable Refusal refusal(List<Asked> asked, int node) {
    for (Asked one : asked) {
      if (!one.filter().allows(node)) {
        return one.filter().refusal(node);
      }
    }
    return null;
  }

  void removed(PodInfo pod, int node) {
    all.forEach(one -> one.filter().removed(pod, node));
  }

  void added(PodInfo pod, int node) {
    all.forEach(one -> one.filter().added(pod, node));
  }
}
