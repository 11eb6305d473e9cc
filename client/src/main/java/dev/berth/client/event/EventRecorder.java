package dev.berth.client.event;

import dev.berth.client.Api;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;

/**
 * Records what a component did or could not do, as Events: of the core group for controllers and
 * node agents ({@link #counting}), of events.k8s.io for the scheduler ({@link #series}), as
 * upstream does. Both forms are one resource of the server.
 *
 * <p>It lives on its component's loop; all methods are for that loop's tasks.
 */
public final class EventRecorder {
  /** The types that Kubernetes knows. */
  public enum Type {
    NORMAL("Normal"),
    WARNING("Warning");

    private final String word;

    Type(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /**
   * Something that happened.
   *
   * @param regarding the object that it happened to; with a {@code fieldPath} if it happened to a
   *     part of it, such as {@code spec.containers{web}}
   * @param related another object that took part; empty if there is none
   * @param reason why, in one word: {@code FailedScheduling}
   * @param action what was done or tried, in one word: {@code Scheduling}
   * @param note for people
   * @param host the node that reports it; empty if the component belongs to none
   */
  public record EventDetails(
      JsonObject regarding,
      JsonObject related,
      Type type,
      String reason,
      String action,
      String note,
      String host) {

    public EventDetails(
        JsonObject regarding,
        JsonObject related,
        Type type,
        String reason,
        String action,
        String note) {
      this(regarding, related, type, reason, action, note, "");
    }

    public static EventDetails of(
        JsonObject regarding, Type type, String reason, String action, String note) {
      return new EventDetails(regarding, JsonObject.EMPTY, type, reason, action, note);
    }

    public EventDetails reportedBy(String node) {
      return new EventDetails(regarding, related, type, reason, action, note, node);
    }
  }

  private final Time time;
  private final EventForm form;
  private final EventWrites writes;

  private EventRecorder(Api api, Loop loop, Time time, EventForm form) {
    this.time = time;
    this.form = form;
    this.writes = new EventWrites(api, loop);
  }

  /**
   * Events as controllers and node agents write them.
   *
   * @param component who reports, such as {@code job-controller}
   */
  public static EventRecorder counting(Api api, Loop loop, Time time, String component) {
    return new EventRecorder(api, loop, time, new CountedEvents(component));
  }

  /**
   * Events as the scheduler writes them.
   *
   * @param controller who reports, such as {@code default-scheduler}
   * @param instance which of several that report alike, such as {@code default-scheduler-host}
   */
  public static EventRecorder series(
      Api api, Loop loop, Time time, String controller, String instance) {
    return new EventRecorder(api, loop, time, new EventSeries(controller, instance));
  }

  public void record(JsonObject regarding, Type type, String reason, String action, String note) {
    record(EventDetails.of(regarding, type, reason, action, note));
  }

  public void record(EventDetails details) {
    form.observe(details, time.now(), time.monotonicNow()).ifPresent(writes::write);
  }

  /**
   * How many requests wait to be sent. Whoever records many events at once, and wants none dropped,
   * waits until there are few.
   */
  public int waiting() {
    return writes.waiting();
  }

  /** How many writes were dropped because too many waited. */
  public long dropped() {
    return writes.dropped();
  }

  /** How many writes no server took. */
  public long refused() {
    return writes.refused();
  }
}
