package dev.berth.hollow.node;

import java.time.Instant;

/**
 * When nodes would have renewed their leases and posted their status, had they done so. It is asked
 * millions of times a simulated day, so that all of it is arithmetic on nanoseconds since the
 * schedules began.
 */
public final class UnsentHeartbeats {
  private static final long NEVER = -1;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final Instant began;
  private final long[] firstRenewals;
  private final long[] firstPosts;
  private final long renewEvery;
  private final long postEvery;

  /** Of two schedules that began together. */
  public UnsentHeartbeats(StaggeredSchedule renewals, StaggeredSchedule posts) {
    began = renewals.began();
    firstRenewals = renewals.firstDue();
    firstPosts = posts.firstDue();
    renewEvery = renewals.periodNanos();
    postEvery = posts.periodNanos();
  }

  /** The last time of a node by then; {@link Instant#MIN} if there was none. */
  public Instant last(int node, Instant until) {
    if (until.isBefore(began)) {
      return Instant.MIN;
    }
    long now =
        (until.getEpochSecond() - began.getEpochSecond()) * NANOS_PER_SECOND
            + until.getNano()
            - began.getNano();
    long last =
        Math.max(
            last(firstRenewals[node], renewEvery, now), last(firstPosts[node], postEvery, now));
    return last == NEVER ? Instant.MIN : began.plusNanos(last);
  }

  private static long last(long first, long period, long now) {
    return now < first ? NEVER : now - (now - first) % period;
  }
}
