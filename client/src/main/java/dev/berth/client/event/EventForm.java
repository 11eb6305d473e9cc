package dev.berth.client.event;

import dev.berth.client.event.EventRecorder.EventDetails;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How what happens becomes events: what is counted on one event, and what the event looks like. */
interface EventForm {
  /**
   * An event that has something new to write.
   *
   * @param delay how long that may wait, so that what happens meanwhile is written with it
   */
  record Change(RecordedEvent event, Duration delay) {}

  /**
   * Counts something that happened.
   *
   * @param monotonic now, on a clock that only runs forward
   * @return the event that it belongs to; empty if it is not worth a write
   */
  Optional<Change> observe(EventDetails details, Instant now, Instant monotonic);
}
