package dev.berth.sim.explain;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.node.NodeInfo;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import dev.berth.scheduler.plugin.resources.Shortage;
import dev.berth.scheduler.plugin.resources.Shortage.Lack;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What to do where a node has not enough of something. */
final class ResourceFixes {
  private ResourceFixes() {}

  private static long missing(Lack lack) {
    return lack.asked() - (lack.capacity() - lack.used());
  }

  /** How much is missing, as a share of what is asked for; summed over resources. */
  static double share(Shortage shortage) {
    return shortage.resources().stream()
        .mapToDouble(lack -> (double) missing(lack) / lack.asked())
        .sum();
  }

  /** Requesting less; not where the node is full. */
  static Optional<Change> requestLess(Shortage shortage) {
    SortedMap<String, Long> fewer = new TreeMap<>();
    SortedMap<String, Long> rest = new TreeMap<>();
    for (Lack lack : shortage.resources()) {
      long less = lack.asked() - missing(lack);
      if (less <= 0) {
        return Optional.empty();
      }
      fewer.put(lack.resource(), missing(lack));
      rest.put(lack.resource(), less);
    }
    return Optional.of(new Change.RequestLess(fewer, rest));
  }

  /** Moving as few other pods as will do; not where the whole node would not do. */
  static Optional<Change> free(Cluster cluster, NodeInfo node, Shortage shortage) {
    if (!shortage.preemptionMayHelp()) {
      return Optional.empty();
    }
    long[] missing = shortage.resources().stream().mapToLong(ResourceFixes::missing).toArray();
    int[] columns =
        shortage.resources().stream()
            .mapToInt(lack -> cluster.resources().column(lack.resource()))
            .toArray();
    List<PodInfo> others =
        new ArrayList<>(
            cluster.pods(node.index()).stream().filter(ResourceFixes::mayMove).toList());
    List<PodInfo> moved = new ArrayList<>();
    while (!isEnough(missing)) {
      Optional<PodInfo> best =
          others.stream()
              .max(
                  Comparator.comparingDouble((PodInfo pod) -> covered(pod, columns, missing))
                      .thenComparing(Comparator.comparingLong(PodInfo::priority).reversed())
                      .thenComparing(
                          Comparator.comparingLong((PodInfo pod) -> excess(pod, columns))
                              .reversed())
                      .thenComparing(PodInfo::name));
      if (best.isEmpty() || covered(best.get(), columns, missing) == 0) {
        return Optional.empty();
      }
      others.remove(best.get());
      moved.add(best.get());
      for (int i = 0; i < missing.length; i++) {
        missing[i] -= amount(best.get(), columns[i]);
      }
    }
    String what =
        shortage.resources().stream()
            .map(lack -> Amounts.withName(lack.resource(), missing(lack)))
            .collect(Collectors.joining(" and "));
    String kind =
        shortage.resources().stream()
            .map(Lack::resource)
            .sorted()
            .collect(Collectors.joining(" and "));
    return Optional.of(
        new Change.RemovePods(
            node.name(),
            "free %s on %s".formatted(what, node.name()),
            "free " + kind,
            moved.stream().map(PodInfo::name).toList()));
  }

  /** Pods of DaemonSets and of the node itself come back where they were. */
  private static boolean mayMove(PodInfo pod) {
    var controller = pod.view().controller();
    return controller == null
        || !(controller.kind().equals("DaemonSet") || controller.kind().equals("Node"));
  }

  private static boolean isEnough(long[] missing) {
    for (long amount : missing) {
      if (amount > 0) {
        return false;
      }
    }
    return true;
  }

  /** How much of what is missing a pod would free, summed as shares. */
  private static double covered(PodInfo pod, int[] columns, long[] missing) {
    double sum = 0;
    for (int i = 0; i < columns.length; i++) {
      if (missing[i] > 0) {
        sum += Math.min(1, (double) amount(pod, columns[i]) / missing[i]);
      }
    }
    return sum;
  }

  private static long excess(PodInfo pod, int[] columns) {
    long sum = 0;
    for (int column : columns) {
      sum += amount(pod, column);
    }
    return sum;
  }

  private static long amount(PodInfo pod, int column) {
    return column == ResourceTable.PODS ? 1 : pod.requests().get(column);
  }
}
