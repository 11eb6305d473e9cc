package dev.berth.time;

import java.time.Instant;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Timers in the order in which they are due on the monotonic clock, and at one instant in the order
 * in which they were set. A search tree rather than a heap, so that cancelling one among 100,000 is
 * as cheap as setting it. Safe for several threads: those of requests set and cancel timers, also
 * where a test turns the clock.
 */
final class TimerQueue<T> {

  /** One timer; also its place in the queue. */
  record Entry<T>(Instant due, long order, T task) {}

  private final TreeSet<Entry<T>> entries =
      new TreeSet<>(
          Comparator.<Entry<T>, Instant>comparing(Entry::due).thenComparingLong(Entry::order));

  private long nextOrder;

  synchronized Entry<T> add(Instant due, T task) {
    Entry<T> entry = new Entry<>(due, nextOrder++, task);
    entries.add(entry);
    return entry;
  }

  synchronized void remove(Entry<T> entry) {
    entries.remove(entry);
  }

  /** When the next timer is due, or null if there is none. */
  synchronized @Nullable Instant nextDue() {
    return entries.isEmpty() ? null : entries.first().due();
  }

  /** Takes out every timer that is due, in order. */
  synchronized void takeDue(Instant now, Consumer<T> sink) {
    while (!entries.isEmpty() && !entries.first().due().isAfter(now)) {
      sink.accept(entries.removeFirst().task());
    }
  }

  synchronized void clear() {
    entries.clear();
  }
}
