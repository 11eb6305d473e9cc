package dev.berth.client.event;

import dev.berth.client.Resources;
import dev.berth.client.event.EventRecorder.EventDetails;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Events of the core group with {@code source}, {@code count}, {@code firstTimestamp} and {@code
 * lastTimestamp}, as most tools read them. The numbers are those of upstream's recorder.
 *
 * <ol>
 *   <li>The same message about the same object for the same reason is counted up on one event.
 *   <li>From the tenth different message about an object for the same reason on, they are counted
 *       up on one event that says so, until there was none for ten minutes.
 *   <li>About one object, 25 events of a type are written, and then one every five minutes. What is
 *       not written is counted nevertheless, and shows with the next write.
 * </ol>
 */
final class CountedEvents implements EventForm {
  private static final int MOST_MESSAGES = 10;
  private static final Duration SIMILAR_FOR = Duration.ofMinutes(10);
  private static final String COMBINED = "(combined from similar events): ";
  private static final int BURST = 25;
  private static final Duration REFILL = Duration.ofMinutes(5);

  /** The object that events are about, their type, and the node that reports them. */
  private record Subject(
      String host,
      String kind,
      String apiVersion,
      ObjectName name,
      String uid,
      String fieldPath,
      EventRecorder.Type type) {
    static Subject of(EventDetails details) {
      JsonObject regarding = details.regarding();
      return new Subject(
          details.host(),
          regarding.text("kind", ""),
          regarding.text("apiVersion", ""),
          ObjectName.of(regarding),
          Metadata.of(regarding).uid(),
          regarding.text("fieldPath", ""),
          details.type());
    }
  }

  /** Events that differ by their message alone. */
  private record Similar(Subject subject, String reason) {}

  /**
   * @param message null for the event that combines similar ones
   */
  private record Same(Similar similar, @Nullable String message) {}

  /** Which messages there were of late. */
  private static final class Messages {
    private final Set<String> different = new HashSet<>();
    private Instant last = Instant.MIN;

    /** Returns whether the message is one too many. */
    boolean add(String message, Instant monotonic) {
      if (last.plus(SIMILAR_FOR).isBefore(monotonic)) {
        different.clear();
      }
      last = monotonic;
      if (different.contains(message)) {
        return false;
      }
      return different.size() == MOST_MESSAGES - 1 || !different.add(message);
    }
  }

  /** How many events may be written about a subject. */
  private static final class Budget {
    private double left = BURST;
    private Instant filled;

    Budget(Instant monotonic) {
      this.filled = monotonic;
    }

    boolean take(Instant monotonic) {
      double refilled = (double) Duration.between(filled, monotonic).toMillis() / REFILL.toMillis();
      left = Math.min(BURST, left + refilled);
      filled = monotonic;
      if (left < 1) {
        return false;
      }
      left--;
      return true;
    }
  }

  private final String component;
  private final EventNames names;
  private final Map<Similar, Messages> messages = new RecentlyUsed<>();
  private final Map<Same, CountedEvent> events = new RecentlyUsed<>();
  private final Map<Subject, Budget> budgets = new RecentlyUsed<>();

  CountedEvents(String component) {
    this.component = component;
    this.names = new EventNames(component);
  }

  @Override
  public Optional<Change> observe(EventDetails details, Instant now, Instant monotonic) {
    Subject subject = Subject.of(details);
    Similar similar = new Similar(subject, details.reason());
    boolean isCombined =
        messages.computeIfAbsent(similar, _ -> new Messages()).add(details.note(), monotonic);
    CountedEvent event =
        events.computeIfAbsent(
            new Same(similar, isCombined ? null : details.note()),
            _ -> new CountedEvent(names.next(details.regarding(), now), details, now));
    event.count++;
    event.last = now;
    event.message = isCombined ? COMBINED + details.note() : details.note();
    boolean mayWrite = budgets.computeIfAbsent(subject, _ -> new Budget(monotonic)).take(monotonic);
    return mayWrite ? Optional.of(new Change(event, Duration.ZERO)) : Optional.empty();
  }

  private final class CountedEvent extends RecordedEvent {
    private final EventDetails details;
    private final Instant first;
    private long count;
    private Instant last;
    private String message = "";

    CountedEvent(ObjectName name, EventDetails details, Instant first) {
      super(Resources.CORE_EVENTS, name);
      this.details = details;
      this.first = first;
      this.last = first;
    }

    @Override
    JsonObject whole() {
      JsonObject.Builder source = new JsonObject.Builder().put("component", component);
      if (!details.host().isEmpty()) {
        source.put("host", details.host());
      }
      JsonObject.Builder event =
          new JsonObject.Builder()
              .put("kind", "Event")
              .put("apiVersion", "v1")
              .put("metadata", EventNames.metadata(name()))
              .put("involvedObject", EventNames.reference(details.regarding()))
              .put("reason", details.reason())
              .put("message", message)
              .put("source", source.build())
              .put("firstTimestamp", Times.format(first))
              .put("lastTimestamp", Times.format(last))
              .put("count", count)
              .put("type", details.type().word())
              .put("eventTime", JsonNull.NULL)
              .put("action", details.action());
      if (!details.related().isEmpty()) {
        event.put("related", EventNames.reference(details.related()));
      }
      return event
          .put("reportingComponent", component)
          .put("reportingInstance", details.host())
          .build();
    }

    @Override
    JsonObject change() {
      return new JsonObject.Builder()
          .put("count", count)
          .put("lastTimestamp", Times.format(last))
          .put("message", message)
          .build();
    }
  }
}
