package dev.berth.policy.flowcontrol;

import java.time.Duration;

/**
 * How much work a request is expected to be.
 *
 * @param initialSeats seats that it takes while it runs
 * @param finalSeats seats that it takes afterwards, while others work because of it, such as those
 *     who pass its change on to watchers
 * @param additionalLatency how long that is; its client does not wait for it
 */
public record Work(int initialSeats, int finalSeats, Duration additionalLatency) {
  public static final Work ONE_SEAT = seats(1);

  public static Work seats(int seats) {
    return new Work(seats, 0, Duration.ZERO);
  }

  /** The seats that are set aside from its beginning to its end. */
  public int seats() {
    return Math.max(initialSeats, finalSeats);
  }

  /** The same amount of final work on fewer seats, which takes longer. */
  Work narrowedTo(int most) {
    if (finalSeats <= most || most < 1) {
      return this;
    }
    return new Work(initialSeats, most, additionalLatency.multipliedBy(finalSeats).dividedBy(most));
  }
}
