package dev.berth.scheduler.decision;

import java.util.random.RandomGenerator;

/**
 * Picks the node with the greatest total, any of them if there are several. Written as plain loops
 * without branches, which the compiler turns into vector instructions: this is what every decision
 * does over all nodes.
 */
final class Choice {
  private static final int BLOCK = 256;

  private Choice() {}

  /** The greatest of the first totals; negative if no node is allowed. */
  static int greatest(int[] totals, int limit) {
    int greatest = Sheet.NOT_ALLOWED;
    for (int node = 0; node < limit; node++) {
      greatest = Math.max(greatest, totals[node]);
    }
    return greatest;
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
