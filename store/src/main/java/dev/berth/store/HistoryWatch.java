package dev.berth.store;

import java.util.ArrayList;
import java.util.List;

/**
 * A watch that reads the shared history: a place and no queue, so it costs next to nothing however
 * slow its reader is.
 */
final class HistoryWatch implements Watch {

  private final Timeline timeline;
  private final WatchIndex.Reader reader;

  HistoryWatch(Timeline timeline, WatchIndex.Reader reader) {
    this.timeline = timeline;
    this.reader = reader;
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
      if (!read(limit, events)) {
        return new Poll.TooOld(timeline.compactedRevision());
      }
      if (!events.isEmpty()) {
        return new Poll.Events(List.copyOf(events), reader.position);
      }
    } while (!timeline.watches().arm(reader));
    return new Poll.Events(List.of(), reader.position);
  }

  /** Moves the place up to the limit or the present; false if history has forgotten it. */
  private boolean read(int limit, List<Event> events) {
    if (reader.position < timeline.compactedRevision()) {
      return false;
    }
    long present = timeline.revision();
    while (reader.position < present && events.size() < limit) {
      Change change = timeline.history().at(reader.position + 1);
      if (change == null) {
        return false;
      }
      Event event = change.written();
      if (event.key().startsWith(reader.prefix)) {
        events.add(event);
      }
      reader.position++;
    }
    return true;
  }

  @Override
  public void close() {
    timeline.watches().close(reader);
  }
}
