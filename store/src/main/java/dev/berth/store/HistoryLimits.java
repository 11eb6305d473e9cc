package dev.berth.store;

/**
 * How much of the past a store remembers: whichever limit is reached first.
 *
 * @param revisions how many writes can be watched from or read at
 * @param bytes superseded values and bookkeeping that are kept for them
 */
public record HistoryLimits(int revisions, long bytes) {

  /**
   * Three minutes of the heartbeats of 5,000 nodes, in at most 128 MiB: long enough for a client to
   * page through a list or to reconnect its watch, small enough for a 1 GiB heap.
   */
  public static final HistoryLimits DEFAULT = new HistoryLimits(100_000, 128L << 20);

  public HistoryLimits {
    if (revisions < 1 || bytes < 0) {
      throw new IllegalArgumentException(
          "History needs at least 1 revision and 0 bytes, not %d and %d."
              .formatted(revisions, bytes));
    }
  }
}
