package dev.berth.store;

import java.time.Duration;

/**
 * How much of the past a store remembers of each resource: whichever limit is reached first.
 *
 * <p>All resources together remember at most twice the bytes of one. When they would exceed that,
 * the one that has most gives first, so that a flood of writes costs the history of what is flooded
 * and of nothing else.
 *
 * @param age how long writes are remembered; a store knows no time, so whoever runs it compacts it
 * @param revisions how many writes can be watched from or read at
 * @param bytes superseded values and bookkeeping that are kept for them
 */
public record HistoryLimits(Duration age, int revisions, long bytes) {

  /** Long enough for a client to page through a list or to reconnect its watch; etcd's usual. */
  public static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  /** 128 MiB in all, which is small enough for a 1 GiB heap. */
  public static final HistoryLimits DEFAULT = new HistoryLimits(100_000, 64L << 20);

  private static final int OF_HEAP = 48;

  public HistoryLimits {
    if (revisions < 1 || bytes < 0 || !age.isPositive()) {
      throw new IllegalArgumentException(
          "History needs a time, at least 1 revision and 0 bytes, not %s, %d and %d."
              .formatted(age, revisions, bytes));
    }
  }

  public HistoryLimits(int revisions, long bytes) {
    this(FIVE_MINUTES, revisions, bytes);
  }

  /**
   * What a server remembers whose heap may become so large: a 24th of it in all. Where pods change
   * by the thousands in a second, a watch that falls behind for longer than what is remembered has
   * to be told to list everything again, which helps nobody then.
   */
  public static HistoryLimits ofHeap(long most) {
    return new HistoryLimits(DEFAULT.revisions, Math.max(DEFAULT.bytes, most / OF_HEAP));
  }

  public HistoryLimits age(Duration most) {
    return new HistoryLimits(most, revisions, bytes);
  }

  /** The most bytes of all resources together. */
  long totalBytes() {
    return bytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * bytes;
  }
}
