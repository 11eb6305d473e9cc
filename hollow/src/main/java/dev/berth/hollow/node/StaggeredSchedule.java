package dev.berth.hollow.node;

import java.time.Duration;
import java.time.Instant;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;

/**
 * Staggers something that all nodes do once in a period: evenly spread over it, in random order,
 * and in slots, so that thousands of nodes need one timer and their requests can be sent together.
 */
public final class StaggeredSchedule {
  /** Members that are due within one slot are due together. */
  private static final Duration SLOT = Duration.ofMillis(100);

  private final Duration period;
  private final int[] order;
  private final Instant began;
  private Instant periodBegan;
  private int next;

  /**
   * @param members how many there are, at least one
   */
  public StaggeredSchedule(int members, Duration period, Instant now, RandomGenerator random) {
    this.period = period;
    this.began = now;
    this.periodBegan = now;
    order = new int[members];
    for (int i = 0; i < members; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
  }

  /** When the next member is due. */
  public Instant due() {
    return periodBegan.plus(offset(next));
  }

  private Duration offset(int place) {
    long exact = (long) ((double) period.toNanos() * place / order.length);
    long slot = Math.min(SLOT.toNanos(), Math.max(1, period.toNanos()));
    return Duration.ofNanos(exact / slot * slot);
  }

  /** When it began. */
  Instant began() {
    return began;
  }

  /** How long after its beginning each member was first due, in nanoseconds. */
  long[] firstDue() {
    long[] first = new long[order.length];
    for (int i = 0; i < order.length; i++) {
      first[order[i]] = offset(i).toNanos();
    }
    return first;
  }

  long periodNanos() {
    return period.toNanos();
  }

  /** Takes all members that are due. What was missed is not made up for. */
  public void takeDue(Instant now, IntConsumer action) {
    if (periodBegan.plus(period).plus(period).isBefore(now)) {
      long missed = Duration.between(periodBegan, now).dividedBy(period) - 1;
      periodBegan = periodBegan.plus(period.multipliedBy(missed));
    }
    while (!due().isAfter(now)) {
      action.accept(order[next]);
      next++;
      if (next == order.length) {
        next = 0;
        periodBegan = periodBegan.plus(period);
      }
    }
  }
}
