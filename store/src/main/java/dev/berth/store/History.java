package dev.berth.store;

import dev.berth.store.Store.Entry;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What one resource is, and its latest changes, in a ring. Changes are numbered in the order in
 * which they happened, and a number's low bits are its place in the ring.
 *
 * <p>One thread at a time appends and forgets; any thread reads, without a lock. A change is
 * trusted only if it is still among those that are kept after it was read: its place is taken by
 * another one only once it is not. Readers hold revisions, never places: what fell out is garbage
 * however slow they are.
 */
final class History {

  private static final int INITIAL_SLOTS = 8;

  private final HistoryLimits limits;
  private volatile AtomicReferenceArray<@Nullable Change> ring =
      new AtomicReferenceArray<>(INITIAL_SLOTS);
  private volatile long oldest;
  private volatile long compacted;
  private volatile long newest;
  private volatile Change present;
  private volatile @Nullable Function<Entry, String> indexedField;
  private long bytes;

  History(Change first, HistoryLimits limits) {
    this.limits = limits;
    compacted = first.revision();
    present = first;
    slot(0, first);
  }

  /** The oldest revision that {@link #asOf} still answers. */
  long compactedRevision() {
    return compacted;
  }

  /** What the superseded values cost. */
  long bytes() {
    return bytes;
  }

  /** The latest change. */
  Change present() {
    return present;
  }

  /** What the resource was at a revision: its latest change until then; null if forgotten. */
  @Nullable Change asOf(long revision) {
    Change latest = present;
    if (latest.revision() <= revision) {
      return latest;
    }
    long number = lastUntil(revision);
    return number < 0 ? null : at(number);
  }

  /** The number of the first change after a revision; -1 if it may be forgotten. */
  long firstAfter(long revision) {
    long number = lastUntil(revision);
    return number < 0 ? -1 : number + 1;
  }

  /** The change with a number; null if it was forgotten or has not happened. */
  @Nullable Change at(long number) {
    if (number > newest) {
      return null;
    }
    AtomicReferenceArray<@Nullable Change> slots = ring;
    Change change = slots.get((int) number & (slots.length() - 1));
    return number < oldest ? null : change;
  }

  /** Whether there is a change with a number yet. */
  boolean hasHappened(long number) {
    return number <= newest;
  }

  private long lastUntil(long revision) {
    while (true) {
      long low = oldest;
      long high = newest;
      if (revision < compacted) {
        return -1;
      }
      boolean kept = true;
      while (low < high && kept) {
        long middle = (low + high + 1) >>> 1;
        Change change = at(middle);
        if (change == null) {
          kept = false;
        } else if (change.revision() <= revision) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      // Else history moved on meanwhile, and perhaps past the revision.
      if (kept && low >= oldest) {
        return low;
      }
    }
  }

  /**
   * Begins anew with what the resource is now: what happened up to here can no longer be told. The
   * change has no event, and none is asked for, since it is the oldest one.
   */
  void restart(Change first) {
    Function<Entry, String> field = indexedField;
    Change latest =
        field == null || present.index() == null
            ? first
            : first.with(FieldIndex.of(allOf(first), field));
    long number = newest + 1;
    if (number - oldest >= ring.length()) {
      grow();
    }
    slot(number, latest);
    compacted = latest.revision();
    newest = number;
    present = latest;
    for (long each = oldest; each < number; each++) {
      oldest = each + 1;
      slot(each, null);
    }
    bytes = 0;
  }

  /**
   * Makes a change the latest one. It may have the revision of the one before it: what etcd deletes
   * when a lease ends, it deletes at one revision.
   */
  void append(Change change) {
    if (change.revision() < present.revision()) {
      throw new IllegalArgumentException(
          "Revision %d cannot follow %d.".formatted(change.revision(), present.revision()));
    }
    Change latest = change.following(present.index());
    long number = newest + 1;
    if (number - oldest >= ring.length()) {
      grow();
    }
    slot(number, latest);
    newest = number;
    present = latest;
    bytes += latest.bytes();
    while (newest - oldest > limits.revisions() || (bytes > limits.bytes() && oldest < newest)) {
      forgetOldest();
    }
  }

  /** Forgets the changes up to a revision; what the resource was then is kept. */
  void compact(long revision) {
    while (oldest < newest) {
      Change next = at(oldest + 1);
      if (next == null || next.revision() > revision) {
        return;
      }
      forgetOldest();
    }
  }

  /**
   * The next revision becomes the oldest, if there is one. Its entries stay; its event is no longer
   * asked for.
   */
  void forgetOldest() {
    long number = oldest;
    Change next = at(number + 1);
    if (next != null) {
      compacted = next.revision();
      oldest = number + 1;
      slot(number, null);
      bytes -= next.bytes();
    }
  }

  private void grow() {
    AtomicReferenceArray<@Nullable Change> old = ring;
    var wider = new AtomicReferenceArray<@Nullable Change>(old.length() * 2);
    for (long number = oldest; number <= newest; number++) {
      wider.set((int) number & (wider.length() - 1), at(number));
    }
    ring = wider;
  }

  private void slot(long number, @Nullable Change change) {
    ring.set((int) number & (ring.length() - 1), change);
  }

  /** Reads the field that the resource is indexed by; null if it is not indexed. */
  @Nullable Function<Entry, String> indexedField() {
    return indexedField;
  }

  void index(Function<Entry, String> field) {
    if (indexedField == null) {
      indexedField = field;
    }
  }

  /** From now on, each revision has an index. */
  void buildIndex() {
    Function<Entry, String> field = indexedField;
    if (field != null && present.index() == null) {
      Change indexed = present.with(FieldIndex.of(allOf(present), field));
      slot(newest, indexed);
      present = indexed;
    }
  }

  static List<Entry> allOf(Change change) {
    return change.entries().range("", Keys.NO_END, Integer.MAX_VALUE);
  }
}
