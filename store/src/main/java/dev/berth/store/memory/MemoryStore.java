package dev.berth.store.memory;

import dev.berth.store.Draft;
import dev.berth.store.HistoryLimits;
import dev.berth.store.Store;
import dev.berth.store.Timeline;
import dev.berth.store.Watch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory. A write happens wholly on its caller's thread, watchers woken included, so
 * that a program on one thread always runs the same way.
 */
public final class MemoryStore implements Store {

  private final ReentrantLock writing = new ReentrantLock();
  private final Timeline timeline;
  private volatile boolean closed;

  public MemoryStore() {
    this(HistoryLimits.DEFAULT);
  }

  public MemoryStore(HistoryLimits limits) {
    timeline = Timeline.empty(limits);
  }

  @Override
  public WriteResult put(
      String key, byte[] value, long expected, @Nullable Function<Entry, ?> view) {
    return write(draft -> draft.put(key, value, expected, view));
  }

  @Override
  public WriteResult delete(String key, long expected) {
    return write(draft -> draft.delete(key, expected));
  }

  private WriteResult write(Function<Draft, WriteResult> decision) {
    WriteResult result;
    List<Runnable> wakes;
    writing.lock();
    try {
      Draft draft = timeline().draft();
      result = decision.apply(draft);
      wakes = timeline.publish(draft);
    } finally {
      writing.unlock();
    }
    wakes.forEach(Runnable::run);
    return result;
  }

  @Override
  public Optional<Entry> get(String key) {
    return timeline().get(key);
  }

  @Override
  public RangeResult range(RangeRequest request) {
    return timeline().range(request);
  }

  @Override
  public Watch watch(String prefix, long afterRevision, Runnable onReady) {
    return timeline().watch(prefix, afterRevision, onReady);
  }

  @Override
  public long revision() {
    return timeline().revision();
  }

  @Override
  public long compactedRevision() {
    return timeline().compactedRevision();
  }

  @Override
  public void compact(long revision) {
    timeline().compact(revision);
  }

  @Override
  public void close() {
    List<Runnable> wakes;
    writing.lock();
    try {
      closed = true;
      wakes = timeline.endWatches();
    } finally {
      writing.unlock();
    }
    wakes.forEach(Runnable::run);
  }

  private Timeline timeline() {
    if (closed) {
      throw new IllegalStateException("The store is closed.");
    }
    return timeline;
  }
}
