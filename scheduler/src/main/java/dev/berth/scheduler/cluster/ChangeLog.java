package dev.berth.scheduler.cluster;

import java.util.function.IntConsumer;

/**
 * Which nodes changed lately, so that whoever keeps an answer per node updates those alone.
 * Bounded: who reads too late learns that everything may have changed.
 */
public final class ChangeLog {
  private final int[] nodes;
  private long next;

  ChangeLog(int capacity) {
    this.nodes = new int[capacity];
  }

  void add(int node) {
    nodes[(int) (next % nodes.length)] = node;
    next++;
  }

  /** Where the log is now; to be given to {@link #since} later. */
  public long position() {
    return next;
  }

  /**
   * Visits every node that changed since a position; one that changed twice, twice.
   *
   * @return false if that is no longer known: all nodes may have changed, and none was visited
   */
  public boolean since(long position, IntConsumer changed) {
    if (next - position > nodes.length) {
      return false;
    }
    for (long at = position; at < next; at++) {
      changed.accept(nodes[(int) (at % nodes.length)]);
    }
    return true;
  }
}
