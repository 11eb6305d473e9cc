package dev.berth.store;

import dev.berth.store.Store.Entry;
import dev.berth.store.Store.WriteResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes that were decided one after another, each on top of those before it, but that nobody sees
 * yet. A draft that is not published leaves no trace. Used by one thread.
 */
public final class Draft {

  private final List<Change> changes = new ArrayList<>();
  private Change top;

  Draft(Change base) {
    top = base;
  }

  public WriteResult put(
      String key, byte[] value, long expected, @Nullable Function<Entry, ?> view) {
    Entry previous = top.entries().get(Keys.check(key));
    if (conflicts(previous, expected)) {
      return new WriteResult.Conflict(Optional.ofNullable(previous));
    }
    var entry = new Entry(key, value, top.revision() + 1);
    if (view != null) {
      entry.view(Object.class, view::apply);
    }
    var event = new Watch.Event.Put(entry, Optional.ofNullable(previous));
    return written(event, top.entries().with(entry), Optional.of(entry));
  }

  public WriteResult delete(String key, long expected) {
    Entry previous = top.entries().get(key);
    if (previous == null || conflicts(previous, expected)) {
      return new WriteResult.Conflict(Optional.ofNullable(previous));
    }
    var event = new Watch.Event.Delete(previous, top.revision() + 1);
    return written(event, top.entries().without(key), Optional.empty());
  }

  /** What was decided to be written, in order. */
  public List<Watch.Event> events() {
    return changes.stream().map(Change::written).toList();
  }

  public boolean isEmpty() {
    return changes.isEmpty();
  }

  List<Change> changes() {
    return changes;
  }

  private WriteResult written(Watch.Event event, SortedEntries entries, Optional<Entry> entry) {
    top = new Change(event.revision(), event, entries);
    changes.add(top);
    return new WriteResult.Written(event.revision(), entry);
  }

  private static boolean conflicts(@Nullable Entry current, long expected) {
    return expected != Store.ANY
        && expected != (current == null ? Store.ABSENT : current.revision());
  }
}
