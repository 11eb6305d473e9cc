package dev.berth.metrics;

import java.util.concurrent.atomic.LongAdder;

/** How many of something there are now. Threads that change it do not wait for each other. */
public final class Gauge {
  private final LongAdder now = new LongAdder();

  Gauge() {}

  public void increment() {
    now.increment();
  }

  public void decrement() {
    now.decrement();
  }

  public void add(long more) {
    now.add(more);
  }

  public long value() {
    return now.sum();
  }
}
