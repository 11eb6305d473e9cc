package dev.berth.store;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The latest revisions, in a ring that a revision's low bits index: within a run of the program
 * each write takes the next number.
 *
 * <p>One thread at a time appends and compacts; any thread reads, without a lock. A slot is trusted
 * only if it holds the revision asked for, so a reader that lost a race against the ring's turning
 * sees nothing rather than something else. Readers hold revisions, never slots: what fell out is
 * garbage however slow they are.
 */
final class History {

  private static final int INITIAL_SLOTS = 64;

  private final HistoryLimits limits;
  private volatile AtomicReferenceArray<@Nullable Change> ring =
      new AtomicReferenceArray<>(INITIAL_SLOTS);
  private volatile long compacted;
  private long last;
  private long bytes;

  History(Change first, HistoryLimits limits) {
    this.limits = limits;
    compacted = first.revision();
    last = first.revision();
    slot(first.revision(), first);
  }

  /** The oldest revision that {@link #at} still answers. */
  long compactedRevision() {
    return compacted;
  }

  @Nullable Change at(long revision) {
    AtomicReferenceArray<@Nullable Change> slots = ring;
    Change change = slots.get((int) revision & (slots.length() - 1));
    return change != null && change.revision() == revision ? change : null;
  }

  void append(Change change) {
    if (change.revision() != last + 1) {
      throw new IllegalArgumentException(
          "Revision %d cannot follow %d.".formatted(change.revision(), last));
    }
    last = change.revision();
    bytes += change.bytes();
    if (last - compacted >= ring.length()) {
      grow();
    }
    slot(last, change);
    while (last - compacted > limits.revisions() || (bytes > limits.bytes() && compacted < last)) {
      dropOldest();
    }
  }

  /** Forgets what is older than a revision, which must have happened. */
  void compact(long revision) {
    while (compacted < revision) {
      dropOldest();
    }
  }

  /** The next revision becomes the oldest. Its entries stay; its event is no longer asked for. */
  private void dropOldest() {
    long oldest = compacted;
    compacted = oldest + 1;
    slot(oldest, null);
    Change next = at(oldest + 1);
    if (next != null) {
      bytes -= next.bytes();
    }
  }

  private void grow() {
    AtomicReferenceArray<@Nullable Change> old = ring;
    var wider = new AtomicReferenceArray<@Nullable Change>(old.length() * 2);
    for (int i = 0; i < old.length(); i++) {
      Change change = old.get(i);
      if (change != null) {
        wider.set((int) change.revision() & (wider.length() - 1), change);
      }
    }
    ring = wider;
  }

  private void slot(long revision, @Nullable Change change) {
    ring.set((int) revision & (ring.length() - 1), change);
  }
}
