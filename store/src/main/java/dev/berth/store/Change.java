package dev.berth.store;

import dev.berth.store.Store.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A revision of a resource: the write that made it and all entries as they were then. The first
 * revision that a store knows of has no event.
 *
 * @param values what the indexed field was and is, if the resource is indexed
 * @param index the same entries by the indexed field; null until somebody asks for them that way
 */
record Change(
    long revision,
    Watch.@Nullable Event event,
    SortedEntries<Entry> entries,
    Values values,
    @Nullable FieldIndex index) {

  /**
   * A path copied in the tree, the event and its wrappers, which history keeps alive beside the
   * superseded value.
   */
  private static final long OVERHEAD_BYTES = 1024;

  /** Two more paths, in an index. */
  private static final long INDEX_BYTES = 1024;

  /** The value of the indexed field before and after; null where there was or is no entry. */
  record Values(@Nullable String before, @Nullable String after) {
    static final Values NONE = new Values(null, null);
  }

  /** What a resource was when it was opened. */
  static Change first(long revision, SortedEntries<Entry> entries) {
    return new Change(revision, null, entries, Values.NONE, null);
  }

  Watch.Event written() {
    return Objects.requireNonNull(event, "The first revision was not written.");
  }

  Change with(FieldIndex of) {
    return new Change(revision, event, entries, values, of);
  }

  /** The same with the index of the revision before it, brought up to this one. */
  Change following(@Nullable FieldIndex previous) {
    if (previous == null) {
      return this;
    }
    FieldIndex next = previous;
    String key = written().key();
    if (values.before != null && !values.before.equals(values.after)) {
      next = next.without(values.before, key);
    }
    if (values.after != null && event instanceof Watch.Event.Put put) {
      next = next.with(values.after, put.entry());
    }
    return with(next);
  }

  /** Whom it may concern. */
  List<Topic> topics() {
    List<Topic> topics = new ArrayList<>(4);
    topics.add(Topic.ALL);
    topics.add(Topic.Name.of(written().key()));
    if (values.before != null) {
      topics.add(new Topic.Value(values.before));
    }
    if (values.after != null && !values.after.equals(values.before)) {
      topics.add(new Topic.Value(values.after));
    }
    return topics;
  }

  boolean concerns(Topic topic) {
    return switch (topic) {
      case Topic.All _ -> true;
      case Topic.Name(String name) -> {
        String key = written().key();
        int begin = key.length() - name.length();
        yield key.endsWith(name) && (begin == 0 || key.charAt(begin - 1) == '/');
      }
      case Topic.Value(String value) -> value.equals(values.before) || value.equals(values.after);
    };
  }

  /** What history pays for this revision. */
  long bytes() {
    return OVERHEAD_BYTES
        + (values.before == null && values.after == null ? 0 : INDEX_BYTES)
        + switch (event) {
          case null -> 0;
          case Watch.Event.Put put -> put.previous().isPresent() ? put.previous().get().size() : 0;
          case Watch.Event.Delete delete -> delete.previous().size();
        };
  }
}
