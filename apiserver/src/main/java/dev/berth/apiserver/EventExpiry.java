package dev.berth.apiserver;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.status.StatusException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;

/**
 * Deletes events that nobody wrote for a while. An event that happens again and is counted up lives
 * on, as it does upstream, where every write begins the time anew: what counts is the latest of the
 * times that the event itself names.
 *
 * <p>Looks once a minute, at a page of events at a time, so it is late by a minute at most and
 * never holds more than a page. It keeps nothing that a restart would lose.
 */
final class EventExpiry implements AutoCloseable {
  static final Duration ONE_HOUR = Duration.ofHours(1);

  private static final Duration INTERVAL = Duration.ofMinutes(1);
  private static final int PAGE = 500;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  private final Registry registry;
  private final Resource events;
  private final Duration life;
  private final Loop loop;

  /**
   * @param time where its loop runs
   */
  EventExpiry(Registry registry, Duration life, Time time) {
    this.registry = registry;
    this.events = registry.catalog().get("", "v1", "events");
    this.life = life;
    this.loop = time.start("event-expiry");
  }

  void start() {
    loop.after(INTERVAL, this::sweep);
  }

  private void sweep() {
    Instant oldest = registry.now().minus(life);
    String token = "";
    do {
      var page = registry.list(events, ListOptions.ALL.limit(PAGE).continuing(token));
      page.entries().stream()
          .map(StoredEncoding::tree)
          .filter(event -> !lastWritten(event).isAfter(oldest))
          .forEach(this::delete);
      token = page.continueToken();
    } while (!token.isEmpty());
    loop.after(INTERVAL, this::sweep);
  }

  /** The latest time that an event tells of. */
  static Instant lastWritten(JsonObject event) {
    Instant latest = Metadata.of(event).creationTimestamp().orElse(Instant.EPOCH);
    latest = later(latest, event.text("lastTimestamp", ""));
    latest = later(latest, event.object("series").text("lastObservedTime", ""));
    return latest;
  }

  private static Instant later(Instant time, String text) {
    try {
      Instant other =
          text.isEmpty() ? time : text.contains(".") ? Times.parseMicro(text) : Times.parse(text);
      return other.isAfter(time) ? other : time;
    } catch (IllegalArgumentException _) {
      return time;
    }
  }

  private void delete(JsonObject event) {
    Metadata metadata = Metadata.of(event);
    DeletionOptions only =
        new DeletionOptions(
            null,
            metadata.uid(),
            metadata.resourceVersion(),
            null,
            false,
            DeletionOptions.DEFAULT.user());
    try {
      registry.delete(events, ObjectName.of(event), only);
    } catch (StatusException e) {
      // Somebody deleted it, or it happened again just now.
      if (e.status().code() != NOT_FOUND && e.status().code() != CONFLICT) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
