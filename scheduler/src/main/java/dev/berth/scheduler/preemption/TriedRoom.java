package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node whose pods are really taken off, in the cluster as the filters see it, and put back by
 * {@link #restore}. For pods that are refused for more than want of room.
 *
 * <p>Pods that were promised the node count as there, and must not be needed there: the pod has to
 * fit with them and without.
 */
final class TriedRoom implements Room {
  private final Cluster cluster;
  private final PodFilters filters;
  private final int node;
  private final String name;
  private final List<PodInfo> promised;
  private final List<PodInfo> taken = new ArrayList<>();

  TriedRoom(Cluster cluster, PodFilters filters, int node, List<PodInfo> promised) {
    this.cluster = cluster;
    this.filters = filters;
    this.node = node;
    this.name = cluster.node(node).name();
    this.promised = promised;
    cluster.changes().suspend();
  }

  @Override
  public void take(PodInfo pod) {
    cluster.remove(pod, name);
    filters.removed(pod, node);
    taken.add(pod);
  }

  @Override
  public void giveBack(PodInfo pod) {
    taken.remove(pod);
    put(pod);
  }

  private void put(PodInfo pod) {
    cluster.add(pod, name);
    filters.added(pod, node);
  }

  /** The first refusal, with the promised pods there or else without them. */
  @Nullable Refusal firstRefusal() {
    Refusal refusal;
    promised.forEach(this::put);
    try {
      refusal = filters.refusal(node);
    } finally {
      for (PodInfo pod : promised.reversed()) {
        cluster.remove(pod, name);
        filters.removed(pod, node);
      }
    }
    return refusal != null || promised.isEmpty() ? refusal : filters.refusal(node);
  }

  @Override
  public @Nullable List<String> refusal() {
    Refusal refusal = firstRefusal();
    return refusal == null ? null : refusal.messages();
  }

  /** Puts all that was taken off back; until then, nobody is told of changes to the cluster. */
  void restore() {
    for (PodInfo pod : List.copyOf(taken)) {
      giveBack(pod);
    }
    cluster.changes().resume();
  }
}
