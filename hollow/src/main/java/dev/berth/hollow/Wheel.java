package dev.berth.hollow;

import java.time.Duration;
import java.time.Instant;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;

/**
 * Whose turn it is, when everybody's comes once in a period: evenly spread over it, in an order
 * drawn by chance, and together in slots, so that thousands need one timer and share their trips.
 */
final class Wheel {
  /** Those whose turns fall into one slot have them together. */
  private static final Duration SLOT = Duration.ofMillis(100);

  private final Duration period;
  private final int[] order;
  private Instant turnBegan;
  private int next;

  /**
   * @param members how many there are, at least one
   */
  Wheel(int members, Duration period, Instant now, RandomGenerator random) {
    this.period = period;
    this.turnBegan = now;
    order = new int[members];
    for (int i = 0; i < members; i++) {
      int other = random.nextInt(i + 1);
      order[i] = order[other];
      order[other] = i;
    }
  }

  /** When the next turn comes. */
  Instant due() {
    return turnBegan.plus(offset(next));
  }

  private Duration offset(int place) {
    long exact = (long) ((double) period.toNanos() * place / order.length);
    long slot = Math.min(SLOT.toNanos(), Math.max(1, period.toNanos()));
    return Duration.ofNanos(exact / slot * slot);
  }

  /** Gives everybody their turn whose time has come; what was missed is not made up for. */
  void takeDue(Instant now, IntConsumer turn) {
    if (turnBegan.plus(period).plus(period).isBefore(now)) {
      long missed = Duration.between(turnBegan, now).dividedBy(period) - 1;
      turnBegan = turnBegan.plus(period.multipliedBy(missed));
    }
    while (!due().isAfter(now)) {
      turn.accept(order[next]);
      next++;
      if (next == order.length) {
        next = 0;
        turnBegan = turnBegan.plus(period);
      }
    }
  }
}
