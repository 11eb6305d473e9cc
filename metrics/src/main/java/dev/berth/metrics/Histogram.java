package dev.berth.metrics;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** How long something took, in seconds, by buckets. Threads that observe do not wait. */
public final class Histogram {
  private static final double NANOS_PER_SECOND = 1e9;

  private final List<Double> bounds;
  private final LongAdder[] counts;

  /** Whole seconds apart from the rest: years of them, often, would overflow nanoseconds. */
  private final LongAdder sumSeconds = new LongAdder();

  private final LongAdder sumNanos = new LongAdder();

  /**
   * @param bounds the upper ends of the buckets in seconds, in rising order; one without end
   *     follows
   */
  Histogram(List<Double> bounds) {
    this.bounds = bounds;
    counts = new LongAdder[bounds.size() + 1];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  public void observe(Duration duration) {
    double seconds = duration.toSeconds() + duration.toNanosPart() / NANOS_PER_SECOND;
    int bucket = 0;
    while (bucket < bounds.size() && seconds > bounds.get(bucket)) {
      bucket++;
    }
    counts[bucket].increment();
    sumSeconds.add(duration.toSeconds());
    sumNanos.add(duration.toNanosPart());
  }

  List<Double> bounds() {
    return bounds;
  }

  /** How many fell into each bucket alone, the one without end last. */
  long[] counts() {
    long[] now = new long[counts.length];
    for (int i = 0; i < now.length; i++) {
      now[i] = counts[i].sum();
    }
    return now;
  }

  double sumSeconds() {
    return sumSeconds.sum() + sumNanos.sum() / NANOS_PER_SECOND;
  }

  public long count() {
    long total = 0;
    for (long count : counts()) {
      total += count;
    }
    return total;
  }
}
