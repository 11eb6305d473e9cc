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
import java.util.BitSet;
import java.util.List;

/** Whether a node has enough free for a pod: for one more pod, and for all that it requests. */
final class FitFilter implements NodeFilter {
  private final Cluster cluster;

  /** What is requested, by column; the amounts in the same order. */
  private final int[] columns;

  private final long[] amounts;

  /** Which of them a class of devices stands for, on nodes that have none otherwise. */
  private final BitSet claimable;

  private final PodInfluence podInfluence;

  private FitFilter(
      Cluster cluster, int[] columns, long[] amounts, BitSet claimable, PodInfluence podInfluence) {
    this.cluster = cluster;
    this.columns = columns;
    this.amounts = amounts;
    this.claimable = claimable;
    this.podInfluence = podInfluence;
  }

  static FitFilter of(PodInfo pod, IgnoredResources ignored, Cluster cluster) {
    ResourceAmounts requests = pod.requests();
    int[] columns = new int[requests.size()];
    long[] amounts = new long[requests.size()];
    BitSet claimable = new BitSet();
    int size = 0;
    for (int i = 0; i < requests.size(); i++) {
      String name = cluster.resources().name(requests.column(i));
      if (!ignored.contains(name)) {
        columns[size] = requests.column(i);
        claimable.set(size, cluster.devices().classFor(name) != null);
        amounts[size++] = requests.amount(i);
      }
    }
    // Resources that are ignored here are not part of what is free on a node.
    PodInfluence influence =
        size == requests.size() && claimable.isEmpty() ? PodInfluence.REQUESTS : PodInfluence.ANY;
    return new FitFilter(
        cluster, Arrays.copyOf(columns, size), Arrays.copyOf(amounts, size), claimable, influence);
  }

  @Override
  public boolean allows(int node) {
    if (free(ResourceTable.PODS, node) < 1) {
      return false;
    }
    for (int i = 0; i < columns.length; i++) {
      if (free(columns[i], node) < amounts[i] && !isClaimed(i, node)) {
        return false;
      }
    }
    return true;
  }

  private boolean isClaimed(int i, int node) {
    return claimable.get(i) && cluster.allocatable(columns[i], node) == 0;
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
      if (!isClaimed(i, node)) {
        check(columns[i], amounts[i], node, lacks);
      }
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
