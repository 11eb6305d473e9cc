package dev.berth.metrics;

import java.util.concurrent.atomic.LongAdder;

/** A number that only grows. Threads that add do not wait for each other. */
public final class Counter {
  private final LongAdder total = new LongAdder();

  Counter() {}

  public void increment() {
    total.increment();
  }

  public void add(long amount) {
    if (amount < 0) {
      throw new IllegalArgumentException("A counter only grows, not by " + amount + ".");
    }
    total.add(amount);
  }

  public long value() {
    return total.sum();
  }
}
