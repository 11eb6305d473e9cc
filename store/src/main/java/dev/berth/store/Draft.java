package dev.berth.store;

import dev.berth.store.Store.Entry;
import dev.berth.store.Store.Guard;
import dev.berth.store.Store.WriteResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes that were decided one after another, each on top of those before it, but that nobody sees
 * yet. A draft that is not published leaves no trace. Used by one thread.
 *
 * <p>Or they were decided elsewhere and are followed: then their revisions are what they were
 * there. All writes of one revision must be in one draft.
 */
public final class Draft {

  private final Timeline timeline;
  private final Map<String, SortedEntries<Entry>> changed = new HashMap<>();
  private final List<Change> changes = new ArrayList<>();
  private long revision;

  Draft(Timeline timeline) {
    this.timeline = timeline;
    revision = timeline.revision();
  }

  public WriteResult put(
      String key,
      byte[] value,
      long expected,
      @Nullable Function<Entry, ?> view,
      List<Guard> guards) {
    String resource = Keys.resource(Keys.check(key));
    Optional<WriteResult> prevented = prevented(guards);
    if (prevented.isPresent()) {
      return prevented.get();
    }
    SortedEntries<Entry> entries = entries(resource);
    Entry previous = entries.get(key);
    if (conflicts(previous, expected)) {
      return new WriteResult.Conflict(Optional.ofNullable(previous));
    }
    var entry = new Entry(key, value, revision + 1);
    if (view != null) {
      entry.view(Object.class, view::apply);
    }
    var event = new Watch.Event.Put(entry, Optional.ofNullable(previous));
    written(resource, event, entries.with(entry), values(resource, previous, entry));
    return new WriteResult.Written(revision, Optional.of(entry));
  }

  public WriteResult delete(String key, long expected, List<Guard> guards) {
    String resource = Keys.resource(key);
    Optional<WriteResult> prevented = prevented(guards);
    if (prevented.isPresent()) {
      return prevented.get();
    }
    SortedEntries<Entry> entries = entries(resource);
    Entry previous = entries.get(key);
    if (previous == null || conflicts(previous, expected)) {
      return new WriteResult.Conflict(Optional.ofNullable(previous));
    }
    var event = new Watch.Event.Delete(previous, revision + 1);
    written(resource, event, entries.without(key), values(resource, previous, null));
    return new WriteResult.Written(revision, Optional.empty());
  }

  /** Takes over an entry that was put elsewhere, such as by another server. */
  public void follow(Entry entry) {
    String resource = Keys.resource(entry.key());
    SortedEntries<Entry> entries = entries(resource);
    Entry previous = entries.get(entry.key());
    var event = new Watch.Event.Put(entry, Optional.ofNullable(previous));
    written(resource, event, entries.with(entry), values(resource, previous, entry));
  }

  /** Takes over that a key was deleted elsewhere; nothing happens if it is not there. */
  public void followDelete(String key, long deletedAt) {
    String resource = Keys.resource(key);
    SortedEntries<Entry> entries = entries(resource);
    Entry previous = entries.get(key);
    if (previous != null) {
      var event = new Watch.Event.Delete(previous, deletedAt);
      written(resource, event, entries.without(key), values(resource, previous, null));
    }
  }

  /** Takes over that nothing else happened up to a revision. */
  public void followTo(long reached) {
    revision = Math.max(revision, reached);
  }

  /** What was decided to be written, in order. */
  public List<Watch.Event> events() {
    return changes.stream().map(Change::written).toList();
  }

  public boolean isEmpty() {
    return changes.isEmpty();
  }

  long revision() {
    return revision;
  }

  List<Change> changes() {
    return changes;
  }

  private SortedEntries<Entry> entries(String resource) {
    SortedEntries<Entry> draft = changed.get(resource);
    if (draft != null) {
      return draft;
    }
    History history = timeline.history(resource);
    return history == null ? SortedEntries.empty() : history.present().entries();
  }

  private Change.Values values(String resource, @Nullable Entry before, @Nullable Entry after) {
    History history = timeline.history(resource);
    Function<Entry, String> field = history == null ? null : history.indexedField();
    return field == null
        ? Change.Values.NONE
        : new Change.Values(
            before == null ? null : field.apply(before), after == null ? null : field.apply(after));
  }

  private void written(
      String resource, Watch.Event event, SortedEntries<Entry> entries, Change.Values values) {
    revision = event.revision();
    changed.put(resource, entries);
    changes.add(new Change(revision, event, entries, values, null));
  }

  private Optional<WriteResult> prevented(List<Guard> guards) {
    for (Guard guard : guards) {
      Optional<Entry> current =
          Optional.ofNullable(entries(Keys.resource(guard.key())).get(guard.key()));
      if (!guard.accepts(current)) {
        return Optional.of(new WriteResult.Prevented(guard, current));
      }
    }
    return Optional.empty();
  }

  private static boolean conflicts(@Nullable Entry current, long expected) {
    return expected != Store.ANY
        && expected != (current == null ? Store.ABSENT : current.revision());
  }
}
