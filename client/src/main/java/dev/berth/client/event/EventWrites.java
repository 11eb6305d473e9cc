package dev.berth.client.event;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.PatchType;
import dev.berth.time.Loop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to the server.
 *
 * <ol>
 *   <li>The writes of one event follow each other; what changes while one is under way is written
 *       together afterwards.
 *   <li>An event that has expired on the server is created again.
 *   <li>At most 10,000 events are under way; further writes are dropped, and counted.
 *   <li>What a server did not take because it was unreachable or too busy is tried again, twelve
 *       times at most; what it refused is dropped, and counted.
 * </ol>
 */
final class EventWrites {
  private static final int MOST_UNDER_WAY = 10_000;
  private static final int AT_ONCE = 16;
  private static final int TRIES = 12;
  private static final Duration RETRY = Duration.ofSeconds(10);

  private final Api api;
  private final Loop loop;
  private final BoundedRequests requests;
  private int underWay;
  private long dropped;
  private long refused;

  EventWrites(Api api, Loop loop) {
    this.api = api;
    this.loop = loop;
    this.requests = new BoundedRequests(loop, AT_ONCE);
  }

  int waiting() {
    return requests.size();
  }

  long dropped() {
    return dropped;
  }

  long refused() {
    return refused;
  }

  void write(EventForm.Change change) {
    RecordedEvent event = change.event();
    if (event.delayed) {
      return;
    }
    if (change.delay().isZero()) {
      start(event);
      return;
    }
    event.delayed = true;
    loop.after(
        change.delay(),
        () -> {
          event.delayed = false;
          start(event);
        });
  }

  private void start(RecordedEvent event) {
    if (event.underWay) {
      event.changedMeanwhile = true;
    } else if (underWay >= MOST_UNDER_WAY) {
      dropped++;
    } else {
      underWay++;
      event.underWay = true;
      send(event, 1);
    }
  }

  private void send(RecordedEvent event, int tries) {
    event.changedMeanwhile = false;
    ApiRequest request =
        event.exists
            ? new ApiRequest.Patch(event.target(), PatchType.MERGE, event.change())
            : new ApiRequest.Create(event.collection(), event.whole());
    requests.run(
        () -> api.send(request),
        result -> {
          if (result instanceof ApiResult.Failure why) {
            failed(event, tries, why);
          } else {
            written(event);
          }
        });
  }

  private void written(RecordedEvent event) {
    event.exists = true;
    ended(event);
  }

  private void ended(RecordedEvent event) {
    underWay--;
    event.underWay = false;
    if (event.changedMeanwhile) {
      start(event);
    }
  }

  private void failed(RecordedEvent event, int tries, ApiResult.Failure why) {
    if (why instanceof ApiResult.Refused(ApiError error)) {
      if (!event.exists && error.isAlreadyExists()) {
        // An earlier try arrived; only its answer was lost.
        written(event);
        return;
      }
      if (event.exists && error.isNotFound()) {
        event.exists = false;
        send(event, tries + 1);
        return;
      }
    }
    Duration delay = delay(why);
    if (delay == null || tries >= TRIES) {
      refused++;
      event.changedMeanwhile = false;
      ended(event);
      return;
    }
    loop.after(delay, () -> send(event, tries + 1));
  }

  /** How long to wait before trying again; null if that would not help. */
  private static @Nullable Duration delay(ApiResult.Failure why) {
    return switch (why) {
      case ApiResult.Unreachable _ -> RETRY;
      case ApiResult.Refused(ApiError error) ->
          error.isTooManyRequests() || error.isServerError()
              ? error.retryAfter().orElse(RETRY)
              : null;
    };
  }
}
