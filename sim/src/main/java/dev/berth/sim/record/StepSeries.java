package dev.berth.sim.record;

import java.util.Arrays;

/**
 * A number that stays what it is until it changes. Times are milliseconds since the beginning, in
 * ascending order; of several changes at one time only the last counts.
 */
public final class StepSeries {
  private static final int FIRST = 8;

  private long[] times = new long[FIRST];
  private long[] values = new long[FIRST];
  private int size;

  public void set(long time, long value) {
    if (size > 0 && times[size - 1] == time) {
      values[size - 1] = value;
      if (size > 1 && values[size - 2] == value) {
        size--;
      }
      return;
    }
    if (size > 0 ? values[size - 1] == value : value == 0) {
      return;
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    times[size] = time;
    values[size++] = value;
  }

  public int size() {
    return size;
  }

  public long time(int index) {
    return times[index];
  }

  public long value(int index) {
    return values[index];
  }

  public long last() {
    return size == 0 ? 0 : values[size - 1];
  }

  /** What it is at a time; 0 before it was first set. */
  public long at(long time) {
    int found = Arrays.binarySearch(times, 0, size, time);
    int index = found >= 0 ? found : -found - 2;
    return index < 0 ? 0 : values[index];
  }
}
