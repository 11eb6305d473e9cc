package dev.berth.scheduler.plugin.resources;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import java.util.ArrayList;
import java.util.List;

/**
 * The resources by which nodes are compared for a pod. Those that not every pod has to do with
 * (extended ones, huge pages) count only for pods that request them.
 */
final class ScoredResources {
  final int[] columns;
  final long[] weights;

  ScoredResources(List<ResourceWeight> resources, ResourceAmounts requests, Cluster cluster) {
    List<ResourceWeight> counted = new ArrayList<>();
    for (ResourceWeight resource : resources) {
      int column = cluster.resources().column(resource.resource());
      boolean everybodys = column < ResourceTable.PODS;
      if (everybodys || (column > ResourceTable.PODS && requests.get(column) > 0)) {
        counted.add(resource);
      }
    }
    this.columns =
        counted.stream().mapToInt(r -> cluster.resources().column(r.resource())).toArray();
    this.weights = counted.stream().mapToLong(ResourceWeight::weight).toArray();
  }
}
