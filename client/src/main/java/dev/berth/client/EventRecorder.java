package dev.berth.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records what a component did or could not do, as Events of events.k8s.io.
 *
 * <ol>
 *   <li>What happens again to the same object, and the same related one, for the same reason within
 *       six minutes becomes a series: the event that exists is counted up. The first repetition is
 *       written at once, the others together, at most every ten seconds. Unlike upstream, the
 *       event's note becomes the latest one, and counts do not wait for half an hour.
 *   <li>Events about objects in no namespace go to {@code default}.
 *   <li>A note is cut off where servers would refuse it, at 1024 bytes.
 *   <li>A limited number of events may wait to be written; further ones are dropped, and counted.
 *   <li>What a server did not take because it was not there or too busy is tried again, twelve
 *       times at most; what it refused is dropped, and counted.
 * </ol>
 *
 * <p>It lives on its component's loop; all methods are for that loop's tasks.
 */
public final class EventRecorder {
  private static final int WAITING = 10_000;
  private static final int AT_ONCE = 16;
  private static final int SERIES = 4_096;
  private static final int TRIES = 12;
  private static final int LONGEST_NOTE = 1024;
  private static final String CUT_OFF = " ...";
  private static final Duration SERIES_ENDS = Duration.ofMinutes(6);
  private static final Duration COUNTED_UP = Duration.ofSeconds(10);
  private static final Duration RETRY = Duration.ofSeconds(10);

  /** The types of events. */
  public enum Type {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String word;

    Type(String word) {
      this.word = word;
    }
  }

  /**
   * Something that happened.
   *
   * @param regarding the object that it happened to
   * @param related another object that took part; empty if there is none
   * @param reason why, in one word: {@code FailedScheduling}
   * @param action what was done or tried, in one word: {@code Scheduling}
   * @param note for people
   */
  public record EventDetails(
      JsonObject regarding,
      JsonObject related,
      Type type,
      String reason,
      String action,
      String note) {

    public static EventDetails of(
        JsonObject regarding, Type type, String reason, String action, String note) {
      return new EventDetails(regarding, JsonObject.EMPTY, type, reason, action, note);
    }
  }

  /** What two occurrences have in common that become one event. */
  private record Key(
      String kind,
      ObjectName name,
      String uid,
      String related,
      Type type,
      String reason,
      String action) {
    static Key of(EventDetails h) {
      String uid = Metadata.of(h.regarding()).uid();
      String related = Metadata.of(h.related()).uid();
      ObjectName name = ObjectName.of(h.regarding());
      String kind = h.regarding().text("kind", "");
      return new Key(kind, name, uid, related, h.type(), h.reason(), h.action());
    }
  }

  /** An event that was written, and how often it happened since. */
  private static final class Series {
    final ObjectName event;
    long count = 1;
    long written = 1;
    Instant last;

    /** The same on the monotonic clock. */
    Instant lastMonotonic;

    String note;
    boolean waiting;

    Series(ObjectName event, Instant first, Instant firstMonotonic, String note) {
      this.event = event;
      this.last = first;
      this.lastMonotonic = firstMonotonic;
      this.note = note;
    }
  }

  /** One request, and how often it was tried, this time included. */
  private record Write(ApiRequest request, int tries) {}

  private final Api api;
  private final Loop loop;
  private final Time time;
  private final String controller;
  private final String instance;
  private final BoundedRequests requests;

  /** The least recent first. */
  private final Map<Key, Series> series =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Series> eldest) {
          return size() > SERIES;
        }
      };

  private long lastStamp;
  private long dropped;
  private long refused;

  /**
   * @param controller who reports, such as {@code default-scheduler}
   * @param instance which of several that report alike, such as {@code default-scheduler-host}
   */
  public EventRecorder(Api api, Loop loop, Time time, String controller, String instance) {
    this.api = api;
    this.loop = loop;
    this.time = time;
    this.controller = controller;
    this.instance = instance;
    this.requests = new BoundedRequests(loop, AT_ONCE);
  }

  public void record(JsonObject regarding, Type type, String reason, String action, String note) {
    record(EventDetails.of(regarding, type, reason, action, note));
  }

  public void record(EventDetails details) {
    Instant now = time.now();
    String note = cutOff(details.note());
    Key key = Key.of(details);
    Series known = series.get(key);
    if (known == null || time.since(known.lastMonotonic).compareTo(SERIES_ENDS) > 0) {
      JsonObject event = event(details, note, now);
      ObjectName name = ObjectName.of(event);
      Target all = Target.all(Resources.EVENTS, name.namespace());
      if (add(new ApiRequest.Create(all, event))) {
        series.put(key, new Series(name, now, time.monotonicNow(), note));
      }
      return;
    }
    known.count++;
    known.last = now;
    known.lastMonotonic = time.monotonicNow();
    known.note = note;
    if (known.count == 2) {
      countUp(known);
    } else if (!known.waiting) {
      known.waiting = true;
      loop.after(
          COUNTED_UP,
          () -> {
            known.waiting = false;
            countUp(known);
          });
    }
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

  /**
   * How many events wait to be written. Whoever makes many at once, and wants none dropped, waits
   * until there are few.
   */
  public int waiting() {
    return requests.size();
  }

  /** How many events were dropped because too many waited. */
  public long dropped() {
    return dropped;
  }

  /** How many events were dropped. */
  public long refused() {
    return refused;
  }

  private void countUp(Series of) {
    if (of.count > of.written) {
      JsonObject counted =
          new JsonObject.Builder()
              .put("count", of.count)
              .put("lastObservedTime", Times.formatMicro(of.last))
              .build();
      JsonObject patch =
          new JsonObject.Builder().put("series", counted).put("note", of.note).build();
      if (add(new ApiRequest.Patch(target(of.event), PatchType.MERGE, patch))) {
        of.written = of.count;
      }
    }
  }

  private static Target target(ObjectName event) {
    return Target.of(Resources.EVENTS, event);
  }

  private JsonObject event(EventDetails details, String note, Instant now) {
    JsonObject regarding = reference(details.regarding());
    String own = regarding.text("namespace", "");
    String namespace = own.isEmpty() ? "default" : own;
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", regarding.text("name", "") + "." + Long.toHexString(stamp(now)))
            .put("namespace", namespace)
            .build();
    JsonObject.Builder event =
        new JsonObject.Builder()
            .put("kind", "Event")
            .put("apiVersion", "events.k8s.io/v1")
            .put("metadata", metadata)
            .put("eventTime", Times.formatMicro(now))
            .put("reportingController", controller)
            .put("reportingInstance", instance)
            .put("action", details.action())
            .put("reason", details.reason())
            .put("regarding", regarding);
    if (!details.related().isEmpty()) {
      event.put("related", reference(details.related()));
    }
    return event.put("note", note).put("type", details.type().word).build();
  }

  /**
   * Nanoseconds since 1970, as upstream's names have; none twice, and as a rule none that another
   * controller has for the same object at the same instant, since clocks may be coarse.
   */
  private long stamp(Instant now) {
    long nanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
    nanos += Math.floorMod(controller.hashCode(), 1_000);
    lastStamp = Math.max(nanos, lastStamp + 1);
    return lastStamp;
  }

  private static JsonObject reference(JsonObject object) {
    JsonObject metadata = object.object("metadata");
    return new JsonObject.Builder()
        .putIfPresent("kind", object.get("kind"))
        .putIfPresent("namespace", metadata.get("namespace"))
        .putIfPresent("name", metadata.get("name"))
        .putIfPresent("uid", metadata.get("uid"))
        .putIfPresent("apiVersion", object.get("apiVersion"))
        .putIfPresent("resourceVersion", metadata.get("resourceVersion"))
        .build();
  }

  private boolean add(ApiRequest request) {
    if (requests.size() >= WAITING) {
      dropped++;
      return false;
    }
    send(new Write(request, 1));
    return true;
  }

  private void send(Write write) {
    requests.run(
        () -> api.send(write.request()),
        result -> {
          if (result instanceof ApiResult.Failure why) {
            failed(write, why);
          }
        });
  }

  private void failed(Write write, ApiResult.Failure why) {
    Duration delay = delay(why);
    if (delay == null || write.tries() >= TRIES) {
      refused++;
      return;
    }
    loop.after(
        delay,
        () -> {
          if (requests.size() >= WAITING) {
            dropped++;
          } else {
            send(new Write(write.request(), write.tries() + 1));
          }
        });
  }

  /** How long to wait before trying again; null if that would not help. */
  private static @Nullable Duration delay(ApiResult.Failure why) {
    return switch (why) {
      case ApiResult.Unreachable _ -> RETRY;
      case ApiResult.Refused(ApiError error) ->
          error.isTooManyRequests() || error.code() >= 500
              ? error.retryAfter().orElse(RETRY)
              : null;
    };
  }
}
