package dev.berth.scheduler.plugin.resources;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import dev.berth.scheduler.plugin.NodeFilter;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.resources.Shortage.Lack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Whether a node has enough free for a pod: for one more pod, and for all that it requests. */
final class FitFilter implements NodeFilter {
  private final Cluster cluster;

  /** What is requested, by column; the amounts in the same order. */
  private final int[] columns;

  private final long[] amounts;
  private final PodInfluence podInfluence;

  private FitFilter(Cluster cluster, int[] columns, long[] amounts, PodInfluence podInfluence) {
    this.cluster = cluster;
    this.columns = columns;
    this.amounts = amounts;
    this.podInfluence = podInfluence;
  }

  static FitFilter of(PodInfo pod, IgnoredResources ignored, Cluster cluster) {
    ResourceAmounts requests = pod.requests();
    int[] columns = new int[requests.size()];
    long[] amounts = new long[requests.size()];
    int size = 0;
    for (int i = 0; i < requests.size(); i++) {
      if (!ignored.contains(cluster.resources().name(requests.column(i)))) {
        columns[size] = requests.column(i);
        amounts[size++] = requests.amount(i);
      }
    }
    // Resources that are ignored here are not part of what is free on a node.
    PodInfluence influence = size == requests.size() ? PodInfluence.REQUESTS : PodInfluence.ANY;
    return new FitFilter(
        cluster, Arrays.copyOf(columns, size), Arrays.copyOf(amounts, size), influence);
  }

  @Override
  public boolean allows(int node) {
    if (free(ResourceTable.PODS, node) < 1) {
      return false;
    }
    for (int i = 0; i < columns.length; i++) {
      if (free(columns[i], node) < amounts[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public PodInfluence podInfluence() {
    return podInfluence;
  }

  private long free(int column, int node) {
    return cluster.allocatable(column, node) - cluster.requested(column, node);
  }

  @Override
  public Refusal refusal(int node) {
    List<Lack> lacks = new ArrayList<>(2);
    check(ResourceTable.PODS, 1, node, lacks);
    for (int i = 0; i < columns.length; i++) {
      check(columns[i], amounts[i], node, lacks);
    }
    return new Shortage(lacks);
  }

  private void check(int column, long asked, int node, List<Lack> lacks) {
    if (free(column, node) < asked) {
      lacks.add(
          new Lack(
              cluster.resources().name(column),
              asked,
              cluster.requested(column, node),
              cluster.allocatable(column, node)));
    }
  }
}
