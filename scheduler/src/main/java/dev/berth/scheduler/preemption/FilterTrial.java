package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.DryRun;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.decision.PodFilters;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node whose pods are removed in a dry run of the cluster, as the filters see it, and put back by
 * {@link #close}. For pods that are refused for more than a lack of resources.
 *
 * <p>The pod has to pass the filters with the pods that are nominated to the node, and without
 * them, since they may still go elsewhere.
 */
final class FilterTrial implements NodeTrial, AutoCloseable {
  private final DryRun dryRun;
  private final PodFilters filters;
  private final int node;
  private final String name;
  private final List<PodInfo> nominated;
  private final List<PodInfo> removed = new ArrayList<>();

  FilterTrial(Cluster cluster, PodFilters filters, int node, List<PodInfo> nominated) {
    this.dryRun = cluster.dryRun();
    this.filters = filters;
    this.node = node;
    this.name = cluster.node(node).name();
    this.nominated = nominated;
  }

  @Override
  public void remove(PodInfo pod) {
    take(pod);
    removed.add(pod);
  }

  @Override
  public void add(PodInfo pod) {
    removed.remove(pod);
    put(pod);
  }

  private void take(PodInfo pod) {
    dryRun.remove(pod, name);
    filters.removed(pod, node);
  }

  private void put(PodInfo pod) {
    dryRun.add(pod, name);
    filters.added(pod, node);
  }

  /** The first refusal, with the nominated pods or else without them. */
  @Override
  public @Nullable Refusal refusal() {
    nominated.forEach(this::put);
    Refusal refusal = filters.refusal(node);
    nominated.reversed().forEach(this::take);
    return refusal != null || nominated.isEmpty() ? refusal : filters.refusal(node);
  }

  /** Puts back all pods that were removed. */
  @Override
  public void close() {
    dryRun.close();
    removed.forEach(pod -> filters.added(pod, node));
    removed.clear();
  }
}
