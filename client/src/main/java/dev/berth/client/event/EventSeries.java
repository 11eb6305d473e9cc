package dev.berth.client.event;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.event.EventRecorder.EventDetails;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Events of events.k8s.io, whose repetitions are series.
 *
 * <ol>
 *   <li>What happens again to the same object, and the same related one, for the same reason within
 *       six minutes becomes a series: the event that exists is counted up. The first repetition is
 *       written at once, the others together, at most every ten seconds. Unlike upstream, the
 *       event's note becomes the latest one, and counts do not wait for half an hour.
 *   <li>A note is cut off where servers would refuse it, at 1024 bytes.
 * </ol>
 */
final class EventSeries implements EventForm {
  private static final int LONGEST_NOTE = 1024;
  private static final String CUT_OFF = " ...";
  private static final Duration SERIES_ENDS = Duration.ofMinutes(6);
  private static final Duration COUNTED_UP = Duration.ofSeconds(10);

  /** Events with the same key make a series. */
  private record Key(
      String kind,
      ObjectName name,
      String uid,
      String related,
      EventRecorder.Type type,
      String reason,
      String action) {
    static Key of(EventDetails details) {
      String uid = Metadata.of(details.regarding()).uid();
      String related = Metadata.of(details.related()).uid();
      ObjectName name = ObjectName.of(details.regarding());
      String kind = details.regarding().text("kind", "");
      return new Key(kind, name, uid, related, details.type(), details.reason(), details.action());
    }
  }

  private final String controller;
  private final String instance;
  private final EventNames names;
  private final Map<Key, Series> series = new RecentlyUsed<>();

  EventSeries(String controller, String instance) {
    this.controller = controller;
    this.instance = instance;
    this.names = new EventNames(controller);
  }

  @Override
  public Optional<Change> observe(EventDetails details, Instant now, Instant monotonic) {
    Key key = Key.of(details);
    Series known = series.get(key);
    if (known == null || known.hasEnded(monotonic)) {
      known = new Series(names.next(details.regarding(), now), details, now);
      series.put(key, known);
    }
    known.count++;
    known.last = now;
    known.lastMonotonic = monotonic;
    known.note = cutOff(details.note());
    return Optional.of(new Change(known, known.count <= 2 ? Duration.ZERO : COUNTED_UP));
  }

  private static String cutOff(String note) {
    byte[] bytes = note.getBytes(UTF_8);
    if (bytes.length <= LONGEST_NOTE) {
      return note;
    }
    int end = LONGEST_NOTE - CUT_OFF.length();
    // Not within a character.
    while ((bytes[end] & 0xc0) == 0x80) {
      end--;
    }
    return new String(bytes, 0, end, UTF_8) + CUT_OFF;
  }

  private final class Series extends RecordedEvent {
    private final EventDetails details;
    private final Instant first;
    private long count;
    private Instant last;
    private Instant lastMonotonic = Instant.MIN;
    private String note = "";

    Series(ObjectName name, EventDetails details, Instant first) {
      super(Resources.EVENTS, name);
      this.details = details;
      this.first = first;
      this.last = first;
    }

    boolean hasEnded(Instant monotonic) {
      return lastMonotonic.plus(SERIES_ENDS).isBefore(monotonic);
    }

    @Override
    JsonObject whole() {
      JsonObject.Builder event =
          new JsonObject.Builder()
              .put("kind", "Event")
              .put("apiVersion", "events.k8s.io/v1")
              .put("metadata", EventNames.metadata(name()))
              .put("eventTime", Times.formatMicro(first))
              .put("reportingController", controller)
              .put("reportingInstance", instance)
              .put("action", details.action())
              .put("reason", details.reason())
              .put("regarding", EventNames.reference(details.regarding()));
      if (count > 1) {
        event.put("series", series());
      }
      if (!details.related().isEmpty()) {
        event.put("related", EventNames.reference(details.related()));
      }
      return event.put("note", note).put("type", details.type().word()).build();
    }

    /** The older group's: in the newer one, notes do not change. */
    @Override
    Target target() {
      return Target.of(Resources.CORE_EVENTS, name());
    }

    @Override
    JsonObject change() {
      return new JsonObject.Builder().put("series", series()).put("message", note).build();
    }

    private JsonObject series() {
      return new JsonObject.Builder()
          .put("count", count)
          .put("lastObservedTime", Times.formatMicro(last))
          .build();
    }
  }
}
