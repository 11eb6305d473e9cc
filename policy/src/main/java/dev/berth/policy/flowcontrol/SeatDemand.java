package dev.berth.policy.flowcontrol;

import java.time.Duration;

/**
 * How many seats a priority level could have used over a period: those in use and those waited for.
 * The demand that seats are lent by is smoothed over periods: it rises at once and falls slowly.
 */
final class SeatDemand {
  /** With periods of 10 s, demand that is gone counts half after five minutes. */
  private static final double SMOOTHING = 0.977;

  private static final double NANOS_PER_SECOND = 1e9;

  private double seconds;
  private double integral;
  private double squares;
  private int highest;
  private double smoothed;

  /** So many seats were wanted for a while. */
  void passed(Duration time, int seats) {
    double duration = time.toNanos() / NANOS_PER_SECOND;
    seconds += duration;
    integral += duration * seats;
    squares += duration * seats * seats;
  }

  /** So many are wanted now. */
  void changed(int seats) {
    highest = Math.max(highest, seats);
  }

  /** Ends a period, and begins another. */
  DemandPeriod endPeriod(int seatsNow) {
    int highWatermark = highest;
    double average = 0;
    double deviation = 0;
    if (seconds > 0) {
      average = integral / seconds;
      deviation = Math.sqrt(Math.max(0, squares / seconds - average * average));
      double envelope = average + deviation;
      smoothed = Math.max(envelope, SMOOTHING * smoothed + (1 - SMOOTHING) * envelope);
    }
    seconds = 0;
    integral = 0;
    squares = 0;
    highest = seatsNow;
    return new DemandPeriod(highWatermark, average, deviation, smoothed);
  }
}
