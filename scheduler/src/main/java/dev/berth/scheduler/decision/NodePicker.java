package dev.berth.scheduler.decision;

import java.util.random.RandomGenerator;

/**
 * Picks the node with the greatest total, any of them if there are several. This is what every
 * decision does over all nodes, so the loops are plain and without branches; the second becomes
 * vector instructions.
 */
final class NodePicker {
  private static final int BLOCK = 256;

  private NodePicker() {}

  /** The greatest of the first totals; negative if no node is allowed. */
  static int greatest(int[] totals, int limit) {
    // Four at a time, since each maximum would wait for the one before.
    int a = ClassScores.NOT_ALLOWED;
    int b = a;
    int c = a;
    int d = a;
    int node = 0;
    for (; node < limit - 3; node += 4) {
      a = Math.max(a, totals[node]);
      b = Math.max(b, totals[node + 1]);
      c = Math.max(c, totals[node + 2]);
      d = Math.max(d, totals[node + 3]);
    }
    for (; node < limit; node++) {
      a = Math.max(a, totals[node]);
    }
    return Math.max(Math.max(a, b), Math.max(c, d));
  }

  /** One of the nodes with the greatest total, each as likely as the other. */
  static int pick(int[] totals, int limit, int greatest, RandomGenerator random) {
    int blocks = (limit + BLOCK - 1) / BLOCK;
    int[] ties = new int[blocks];
    int all = 0;
    for (int block = 0; block < blocks; block++) {
      int from = block * BLOCK;
      ties[block] = count(totals, from, Math.min(limit, from + BLOCK), greatest);
      all += ties[block];
    }
    int left = all == 1 ? 0 : random.nextInt(all);
    int block = 0;
    while (left >= ties[block]) {
      left -= ties[block++];
    }
    int node = block * BLOCK;
    while (totals[node] != greatest || left-- > 0) {
      node++;
    }
    return node;
  }

  private static int count(int[] totals, int from, int to, int greatest) {
    int less = 0;
    for (int node = from; node < to; node++) {
      // The sign bit, since no total is greater.
      less += (totals[node] - greatest) >>> 31;
    }
    return to - from - less;
  }
}
