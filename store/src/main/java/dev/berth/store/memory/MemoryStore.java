package dev.berth.store.memory;

import dev.berth.store.Draft;
import dev.berth.store.HistoryLimits;
import dev.berth.store.Timeline;
import dev.berth.store.TimelineStore;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory. A write happens wholly on its caller's thread, watchers woken included, so
 * that a program on one thread always runs the same way.
 */
public final class MemoryStore extends TimelineStore {

  private final ReentrantLock writing = new ReentrantLock();

  public MemoryStore() {
    this(HistoryLimits.DEFAULT);
  }

  public MemoryStore(HistoryLimits limits) {
    super(Timeline.empty(limits));
  }

  @Override
  public WriteResult put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Entry, ?> view,
      List<Guard> guards) {
    return write(draft -> draft.put(key, value, expected, view, guards));
  }

  @Override
  public WriteResult delete(String key, long expected, List<Guard> guards) {
    return write(draft -> draft.delete(key, expected, guards));
  }

  private WriteResult write(Function<Draft, WriteResult> decision) {
    WriteResult result;
    List<Runnable> wakes;
    writing.lock();
    try {
      Timeline timeline = timeline();
      Draft draft = timeline.draft();
      result = decision.apply(draft);
      wakes = timeline.publish(draft);
    } finally {
      writing.unlock();
    }
    wakes.forEach(Runnable::run);
    return result;
  }

  @Override
  public void close() {
    List<Runnable> wakes;
    writing.lock();
    try {
      wakes = endReading();
    } finally {
      writing.unlock();
    }
    wakes.forEach(Runnable::run);
  }
}
