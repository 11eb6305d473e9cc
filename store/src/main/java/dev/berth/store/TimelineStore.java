package dev.berth.store;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The part of a store that reads, which is the same wherever writes go: everything live and the
 * recent past are in a {@link Timeline}. What makes writes durable is each store's own.
 */
public abstract class TimelineStore implements Store {
  private final Timeline timeline;
  private volatile boolean closed;

  protected TimelineStore(Timeline timeline) {
    this.timeline = timeline;
  }

  @Override
  public final Optional<Entry> get(String key) {
    return timeline().get(key);
  }

  @Override
  public final RangeResult range(RangeRequest request) {
    return timeline().range(request);
  }

  @Override
  public final void index(String resource, Function<Entry, String> value) {
    timeline().index(resource, value);
  }

  @Override
  public final Watch watch(String prefix, Topic topic, long afterRevision, Runnable onReady) {
    return timeline().watch(prefix, topic, afterRevision, onReady);
  }

  @Override
  public final long revision() {
    return timeline().revision();
  }

  @Override
  public final long compactedRevision() {
    return timeline().compactedRevision();
  }

  @Override
  public final long releasedRevision() {
    return timeline().releasedRevision();
  }

  @Override
  public final void compact(long revision) {
    timeline().compact(revision);
  }

  @Override
  public final HistoryLimits historyLimits() {
    return timeline.limits();
  }

  /** The timeline, for as long as the store is open. */
  protected final Timeline timeline() {
    if (closed) {
      throw closedAlready();
    }
    return timeline;
  }

  /** What whoever uses a closed store is told: it is a bug of theirs. */
  protected static IllegalStateException closedAlready() {
    return new IllegalStateException("The store is closed.");
  }

  protected final boolean isClosed() {
    return closed;
  }

  /** From now on nothing is read. Returns whom to wake, so that they learn of it. */
  protected final List<Runnable> endReading() {
    closed = true;
    return timeline.endWatches();
  }
}
