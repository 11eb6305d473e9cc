package dev.berth.scheduler.plugin.resources;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import dev.berth.scheduler.plugin.NodeScore;

/** How good a node is by what would be requested of it with a pod there. */
final class AllocationScore implements NodeScore {
  private final ScoringStrategy strategy;
  private final PodInfo pod;
  private final Cluster cluster;
  private final ScoredResources resources;

  AllocationScore(ScoringStrategy strategy, PodInfo pod, Cluster cluster) {
    this.strategy = strategy;
    this.pod = pod;
    this.cluster = cluster;
    this.resources = new ScoredResources(strategy.resources(), pod.requests(), cluster);
  }

  @Override
  public long score(int node) {
    long sum = 0;
    long weights = 0;
    for (int i = 0; i < resources.columns.length; i++) {
      int column = resources.columns[i];
      long capacity = cluster.allocatable(column, node);
      if (capacity == 0) {
        continue;
      }
      long score = strategy.score(requested(column, node), capacity);
      if (score > 0 || strategy.countsZero()) {
        sum += score * resources.weights[i];
        weights += resources.weights[i];
      }
    }
    return strategy.mean(sum, weights);
  }

  private long requested(int column, int node) {
    return switch (column) {
      case ResourceTable.CPU -> cluster.scoredCpu(node) + pod.scoredCpu();
      case ResourceTable.MEMORY -> cluster.scoredMemory(node) + pod.scoredMemory();
      default -> cluster.requested(column, node) + pod.requests().get(column);
    };
  }

  @Override
  public Normalization normalization() {
    return Normalization.NONE;
  }
}
