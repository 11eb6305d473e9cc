package dev.berth.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A watch that reads the shared history: a place and no queue, so it costs next to nothing however
 * slow its reader is.
 */
final class HistoryWatch implements Watch {

  private final Timeline timeline;
  private final WatchIndex.Reader reader;

  /**
   * The one resource that the prefix is of, once there is one: found once, since polls are many.
   */
  private @Nullable List<History> resource;

  HistoryWatch(Timeline timeline, WatchIndex.Reader reader) {
    this.timeline = timeline;
    this.reader = reader;
  }

  /**
   * An armed reader was not concerned by anything that the index has seen. What is visible already
   * and not yet seen by it may concern anybody.
   */
  @Override
  public boolean mayHaveEvents() {
    long visible = timeline.revision();
    return !timeline.watches().hasSeen(visible) || !reader.armed;
  }

  @Override
  public Poll poll(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("A poll takes at least 1 event, not " + limit + ".");
    }
    if (reader.armed) {
      timeline.watches().disarm(reader);
    }
    do {
      if (reader.closed || timeline.watches().isClosed()) {
        return new Poll.Closed();
      }
      List<Event> events = new ArrayList<>();
      Collection<History> histories = histories();
      if (!read(histories, limit, events)) {
        return new Poll.TooOld(timeline.compactedRevision(histories));
      }
      if (!events.isEmpty()) {
        return new Poll.Events(List.copyOf(events), reader.position);
      }
    } while (!timeline.watches().arm(reader));
    return new Poll.Events(List.of(), reader.position);
  }

  private Collection<History> histories() {
    if (resource == null && Keys.isWithinResource(reader.prefix)) {
      History found = timeline.history(Keys.resource(reader.prefix));
      resource = found == null ? null : List.of(found);
    }
    return resource == null ? timeline.histories(reader.prefix) : resource;
  }

  /** Moves the place up to the limit or the present; false if history has forgotten it. */
  private boolean read(Collection<History> histories, int limit, List<Event> events) {
    long present = timeline.revision();
    List<Cursor> cursors = new ArrayList<>(1);
    for (History history : histories) {
      var cursor = new Cursor(history, reader.position, present);
      if (cursor.isLost) {
        return false;
      }
      cursors.add(cursor);
    }
    if (reader.position < timeline.compactedRevision(histories)) {
      return false;
    }
    while (true) {
      Cursor next = earliest(cursors);
      Change change = next == null ? null : next.change;
      if (next == null || change == null) {
        reader.position = present;
        return true;
      }
      // A place is a revision, so all that happened at one is read together.
      if (events.size() >= limit && change.revision() > reader.position) {
        return true;
      }
      Event event = change.written();
      if (event.key().startsWith(reader.prefix) && change.concerns(reader.topic)) {
        events.add(event);
      }
      reader.position = event.revision();
      next.advance();
      if (next.isLost) {
        return false;
      }
    }
  }

  private static @Nullable Cursor earliest(List<Cursor> cursors) {
    Cursor earliest = null;
    for (Cursor cursor : cursors) {
      if (earliest == null || cursor.revision() < earliest.revision()) {
        earliest = cursor;
      }
    }
    return earliest;
  }

  /** Goes through the changes of one resource, up to a revision. */
  private static final class Cursor {
    private final History history;
    private final long last;
    private long number;

    /** Where it is; null behind the last one. */
    @Nullable Change change;

    /** The next change was forgotten. */
    boolean isLost;

    Cursor(History history, long after, long last) {
      this.history = history;
      this.last = last;
      if (history.present().revision() > after) {
        number = history.firstAfter(after);
        isLost = number < 0;
        read();
      }
    }

    void advance() {
      number++;
      read();
    }

    private void read() {
      change = null;
      if (!isLost && history.hasHappened(number)) {
        Change next = history.at(number);
        isLost = next == null;
        change = next == null || next.revision() > last ? null : next;
      }
    }

    long revision() {
      return change == null ? Long.MAX_VALUE : change.revision();
    }
  }

  @Override
  public void close() {
    timeline.watches().close(reader);
  }
}
