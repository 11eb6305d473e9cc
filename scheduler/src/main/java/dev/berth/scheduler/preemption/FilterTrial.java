package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.cluster.Trial;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node whose pods are really taken off, in the cluster as the filters see it, and put back by
 * {@link #close}. For pods that are refused for more than want of room.
 *
 * <p>Pods that were promised the node count as there, and must not be needed there: the pod has to
 * fit with them and without.
 */
final class FilterTrial implements NodeTrial, AutoCloseable {
  private final Trial trial;
  private final PodFilters filters;
  private final int node;
  private final String name;
  private final List<PodInfo> promised;
  private final List<PodInfo> taken = new ArrayList<>();

  FilterTrial(Cluster cluster, PodFilters filters, int node, List<PodInfo> promised) {
    this.trial = cluster.trial();
    this.filters = filters;
    this.node = node;
    this.name = cluster.node(node).name();
    this.promised = promised;
  }

  @Override
  public void take(PodInfo pod) {
    remove(pod);
    taken.add(pod);
  }

  @Override
  public void giveBack(PodInfo pod) {
    taken.remove(pod);
    put(pod);
  }

  private void remove(PodInfo pod) {
    trial.remove(pod, name);
    filters.removed(pod, node);
  }

  private void put(PodInfo pod) {
    trial.add(pod, name);
    filters.added(pod, node);
  }

  /** The first refusal, with the promised pods there or else without them. */
  @Nullable Refusal firstRefusal() {
    promised.forEach(this::put);
    Refusal refusal = filters.refusal(node);
    promised.reversed().forEach(this::remove);
    return refusal != null || promised.isEmpty() ? refusal : filters.refusal(node);
  }

  @Override
  public @Nullable List<String> refusal() {
    Refusal refusal = firstRefusal();
    return refusal == null ? null : refusal.messages();
  }

  /** Puts all that was taken off back. */
  @Override
  public void close() {
    trial.close();
    taken.forEach(pod -> filters.added(pod, node));
    taken.clear();
  }
}
