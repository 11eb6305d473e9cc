package dev.berth.scheduler.cluster;

import java.util.function.IntConsumer;

/**
 * Which nodes changed lately, so that whoever keeps an answer per node looks again at those alone.
 * Bounded: whoever comes back too late is told that everything may have changed.
 */
public final class ChangeLog {
  private final int[] nodes;
  private long next;
  private boolean suspended;

  ChangeLog(int capacity) {
    this.nodes = new int[capacity];
  }

  void add(int node) {
    if (suspended) {
      return;
    }
    nodes[(int) (next % nodes.length)] = node;
    next++;
  }

  /** Takes no note of what follows: it is only tried, and undone before {@link #resume}. */
  public void suspend() {
    suspended = true;
  }

  public void resume() {
    suspended = false;
  }

  /** Where the log is now; to be given to {@link #since} later. */
  public long position() {
    return next;
  }

  /**
   * Tells of every node that changed since a position; of one that changed twice, twice.
   *
   * @return false if that is no longer known: all nodes may have changed, and none was told of
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
