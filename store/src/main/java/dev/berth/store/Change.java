package dev.berth.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A revision: the write that made it and all entries as they were then. The first revision a store
 * knows of has no event.
 */
record Change(long revision, Watch.@Nullable Event event, SortedEntries entries) {

  /**
   * A path copied in the tree, the event and its wrappers, which history keeps alive beside the
   * superseded value.
   */
  private static final long OVERHEAD_BYTES = 1024;

  Watch.Event written() {
    return Objects.requireNonNull(event, "The first revision was not written.");
  }

  /** What history pays for this revision. */
  long bytes() {
    return OVERHEAD_BYTES
        + switch (event) {
          case null -> 0;
          case Watch.Event.Put put -> put.previous().map(e -> e.value().length).orElse(0);
          case Watch.Event.Delete delete -> delete.previous().value().length;
        };
  }
}
