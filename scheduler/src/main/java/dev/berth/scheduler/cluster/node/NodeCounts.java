package dev.berth.scheduler.cluster.node;

import java.util.Arrays;

/**
 * A number for each node, most of them zero. Kept in pages that are made when a node of theirs gets
 * a number: there are many of these, and most concern few nodes.
 */
public final class NodeCounts {
  private static final int BITS = 8;
  private static final int PAGE = 1 << BITS;
  private static final int[] NOTHING = {};

  private int[][] pages = new int[0][];
  private long total;

  public int get(int node) {
    int page = node >> BITS;
    if (page >= pages.length) {
      return 0;
    }
    int[] numbers = pages[page];
    int place = node & (PAGE - 1);
    return place < numbers.length ? numbers[place] : 0;
  }

  /** The sum over all nodes. */
  public long total() {
    return total;
  }

  public void add(int node, int change) {
    int page = node >> BITS;
    if (page >= pages.length) {
      int length = pages.length;
      pages = Arrays.copyOf(pages, Math.max(page + 1, 2 * length));
      Arrays.fill(pages, length, pages.length, NOTHING);
    }
    if (pages[page].length == 0) {
      pages[page] = new int[PAGE];
    }
    pages[page][node & (PAGE - 1)] += change;
    total += change;
  }

  /**
   * Adds the numbers of the nodes of each domain to what is there.
   *
   * @param sums by domain
   * @return how much was added in all; numbers of nodes in no domain are left out
   */
  public long addTo(long[] sums, TopologyColumn topology, long factor) {
    long added = 0;
    for (int page = 0; page < pages.length; page++) {
      int[] numbers = pages[page];
      for (int i = 0; i < numbers.length; i++) {
        if (numbers[i] != 0) {
          int domain = topology.domain((page << BITS) + i);
          if (domain >= 0) {
            sums[domain] += factor * numbers[i];
            added += numbers[i];
          }
        }
      }
    }
    return added;
  }
}
