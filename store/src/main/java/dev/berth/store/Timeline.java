package dev.berth.store;

import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The present of a store, its recent past, and everybody who watches: what all stores share,
 * whatever makes their writes durable.
 *
 * <p>A store makes a {@link Draft}, lets it decide writes, makes it durable in its own way, and
 * publishes it. Only one draft may be open at a time: a store serializes its writers. Everything
 * else may be called from any thread and takes no lock that a writer holds for long.
 */
public final class Timeline {

  /** The revision of a store nothing was written to: 1, as 0 asks for the current one. */
  public static final long FIRST_REVISION = 1;

  private final ReentrantLock changing = new ReentrantLock();
  private final History history;
  private final WatchIndex watches;
  private volatile Change current;

  private Timeline(Change first, HistoryLimits limits) {
    history = new History(first, limits);
    watches = new WatchIndex(first.revision());
    current = first;
  }

  /** A timeline that begins empty. */
  public static Timeline empty(HistoryLimits limits) {
    return new Timeline(new Change(FIRST_REVISION, null, SortedEntries.EMPTY), limits);
  }

  /** A timeline that begins with entries in any order; the array is sorted in place. */
  public static Timeline of(Entry[] entries, long revision, HistoryLimits limits) {
    Arrays.parallelSort(entries, Comparator.comparing(Entry::key));
    return new Timeline(new Change(revision, null, SortedEntries.ofSorted(entries)), limits);
  }

  public long revision() {
    return current.revision();
  }

  public long compactedRevision() {
    return history.compactedRevision();
  }

  public Optional<Entry> get(String key) {
    return Optional.ofNullable(current.entries().get(key));
  }

  /** How many keys there are. */
  public int size() {
    return current.entries().size();
  }

  public RangeResult range(RangeRequest request) {
    Change now = current;
    long revision = request.revision();
    if (revision > now.revision()) {
      return new RangeResult.NotYet(now.revision());
    }
    Change then = revision == RangeRequest.CURRENT ? now : history.at(revision);
    if (then == null) {
      return new RangeResult.TooOld(history.compactedRevision());
    }
    SortedEntries entries = then.entries();
    List<Entry> page = entries.range(request.from(), request.to(), request.limit());
    long all = entries.count(request.from(), request.to());
    return new RangeResult.Page(page, then.revision(), all - page.size());
  }

  public Watch watch(String prefix, long afterRevision, Runnable onReady) {
    long now = revision();
    if (afterRevision > now || afterRevision < 0) {
      throw new IllegalArgumentException(
          "A watch cannot begin after revision %d: the store is at %d."
              .formatted(afterRevision, now));
    }
    return new HistoryWatch(this, new WatchIndex.Reader(prefix, afterRevision, onReady));
  }

  public void compact(long revision) {
    changing.lock();
    try {
      if (revision > revision()) {
        throw new IllegalArgumentException(
            "History cannot be forgotten up to revision %d: the store is at %d."
                .formatted(revision, revision()));
      }
      history.compact(revision);
    } finally {
      changing.unlock();
    }
  }

  /** Begins to decide writes on top of what is published. */
  public Draft draft() {
    return new Draft(current);
  }

  /**
   * Makes a draft's writes visible to everybody at once.
   *
   * @return the watchers to wake, to be run outside of the store's locks
   */
  public List<Runnable> publish(Draft draft) {
    List<Change> changes = draft.changes();
    if (changes.isEmpty()) {
      return List.of();
    }
    changing.lock();
    try {
      changes.forEach(history::append);
      current = changes.getLast();
    } finally {
      changing.unlock();
    }
    return watches.advance(changes);
  }

  /** Ends all watches; returns those to wake, so that they learn of it. */
  public List<Runnable> endWatches() {
    return watches.close();
  }

  History history() {
    return history;
  }

  WatchIndex watches() {
    return watches;
  }
}
