package dev.berth.policy.topology;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The NUMA nodes of a machine.
 *
 * @param distances of each node to the others, by their numbers; an empty list if they are not
 *     known
 */
public record NumaNodes(SortedMap<Integer, List<Integer>> distances) {
  public NumaNodes {
    distances = Collections.unmodifiableSortedMap(new TreeMap<>(distances));
  }

  public List<Integer> numbers() {
    return List.copyOf(distances.keySet());
  }

  public NumaMask all() {
    return NumaMask.of(distances.keySet());
  }

  /** Fewer nodes first; then those that are closer to each other; then lower numbers. */
  Comparator<NumaMask> closest() {
    return Comparator.comparingInt(NumaMask::count)
        .thenComparingDouble(this::averageDistance)
        .thenComparing(Comparator.naturalOrder());
  }

  /** Of each node to each, itself included. */
  double averageDistance(NumaMask mask) {
    List<Integer> nodes = mask.nodes();
    double sum = 0;
    for (int from : nodes) {
      List<Integer> row = distances.getOrDefault(from, List.of());
      for (int to : nodes) {
        sum += to < row.size() ? row.get(to) : 0;
      }
    }
    return nodes.isEmpty() ? 0 : sum / (nodes.size() * nodes.size());
  }
}
