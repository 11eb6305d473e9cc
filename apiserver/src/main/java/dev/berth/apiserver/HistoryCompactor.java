package dev.berth.apiserver;

import dev.berth.store.Store;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Releases the history that is older than its store's limit says, as etcd's compaction does.
 *
 * <p>It notes the store's revision ten times in that time, and compacts up to a note once that is
 * old enough. So everything is kept for as long as it should be, and at most a tenth longer. After
 * a restart it begins with new notes: what is kept too long is gone when that time has gone by.
 */
final class HistoryCompactor implements AutoCloseable {
  private static final int NOTES = 10;

  private final Store store;
  private final Time time;
  private final Duration age;
  private final Loop loop;
  private final Deque<Note> notes = new ArrayDeque<>();

  /** The store's revision at an instant of the monotonic clock. */
  private record Note(Instant at, long revision) {}

  /**
   * @param time where its loop runs
   */
  HistoryCompactor(Store store, Time time) {
    this.store = store;
    this.time = time;
    age = store.historyLimits().age();
    loop = time.start("history-compactor");
  }

  void start() {
    loop.offer(this::compact);
  }

  private void compact() {
    Instant now = time.monotonicNow();
    notes.add(new Note(now, store.revision()));
    Note due = null;
    while (!notes.getFirst().at.plus(age).isAfter(now)) {
      due = notes.removeFirst();
    }
    if (due != null) {
      store.compact(due.revision);
    }
    loop.after(age.dividedBy(NOTES), this::compact);
  }

  @Override
  public void close() {
    loop.close();
  }
}
