package dev.berth.store;

import java.util.List;
import java.util.Optional;

/**
 * A reader's place in a store's history. Polled by one thread at a time; any thread may close it.
 */
public interface Watch extends AutoCloseable {

  /** One write as a watcher sees it. */
  sealed interface Event {
    long revision();

    String key();

    /** The key now holds {@code entry}; {@code previous} is what it replaced, if anything. */
    record Put(Store.Entry entry, Optional<Store.Entry> previous) implements Event {
      @Override
      public String key() {
        return entry.key();
      }

      @Override
      public long revision() {
        return entry.revision();
      }
    }

    /** The key is gone; {@code previous} is what it held. */
    record Delete(Store.Entry previous, long revision) implements Event {
      @Override
      public String key() {
        return previous.key();
      }
    }
  }

  /** What a poll found. */
  sealed interface Poll {
    /**
     * The next events, perhaps none. Every event of the watched prefix up to {@code revision} has
     * now been delivered, which is what a bookmark says.
     */
    record Events(List<Event> events, long revision) implements Poll {}

    /** The reader fell behind the history and has lost its place: it must read the range anew. */
    record TooOld(long compactedRevision) implements Poll {}

    /** The watch or its store was closed. */
    record Closed() implements Poll {}
  }

  /**
   * Whether a poll may find something: false only if everything of this watch that can be read by
   * now was polled. Costs less than a poll, and may be asked from any thread.
   */
  default boolean mayHaveEvents() {
    return true;
  }

  /** At most {@code limit} events that were not polled before. Never blocks. */
  Poll poll(int limit);

  @Override
  void close();
}
