package dev.berth.scheduler.decision;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which node gave which reason, and how many gave each; kept up to date node by node. */
final class ReasonsByNode {
  private static final int NONE = -1;

  private final Map<Reason, Integer> numbers = new HashMap<>();
  private final List<Reason> reasons = new ArrayList<>();
  private int[] counts = new int[8];
  private int[] ofNode;

  ReasonsByNode(int capacity) {
    this.ofNode = new int[capacity];
    Arrays.fill(ofNode, NONE);
  }

  /** Takes note of a node's reason; null if it is allowed, or gone. */
  void set(int node, @Nullable Reason reason) {
    if (node >= ofNode.length) {
      int from = ofNode.length;
      ofNode = Arrays.copyOf(ofNode, 2 * node + 16);
      Arrays.fill(ofNode, from, ofNode.length, NONE);
    }
    if (ofNode[node] != NONE) {
      counts[ofNode[node]]--;
    }
    ofNode[node] = reason == null ? NONE : number(reason);
    if (reason != null) {
      counts[ofNode[node]]++;
    }
  }

  private int number(Reason reason) {
    Integer known = numbers.putIfAbsent(reason, reasons.size());
    if (known != null) {
      return known;
    }
    reasons.add(reason);
    if (reasons.size() > counts.length) {
      counts = Arrays.copyOf(counts, 2 * counts.length);
    }
    return reasons.size() - 1;
  }

  void addTo(RefusalCounts sums) {
    for (int i = 0; i < reasons.size(); i++) {
      sums.add(reasons.get(i), counts[i]);
    }
  }

  /** The nodes that might be allowed if pods were taken off them, and some more. */
  int[] preemptible(int limit, IntPredicate others) {
    return IntStream.range(0, limit)
        .filter(node -> mayBeHelped(node) || others.test(node))
        .toArray();
  }

  private boolean mayBeHelped(int node) {
    int reason = node < ofNode.length ? ofNode[node] : NONE;
    return reason != NONE && reasons.get(reason).preemptionMayHelp();
  }

  /** How many reasons were ever given. */
  int size() {
    return reasons.size();
  }
}
