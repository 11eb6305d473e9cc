package dev.berth.controllers.persistentvolume;

import dev.berth.client.event.EventRecorder;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.Notice;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tells people what claims and volumes wait for. What was said is not said again for a while,
 * however often the object is reconciled; upstream says it each 15 seconds.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class Notices {
  /** After this time it is worth saying again: events are forgotten after an hour. */
  static final Duration AGAIN = Duration.ofMinutes(10);

  private final EventRecorder events;
  private final Time time;
  private final Map<String, Said> said = new HashMap<>();

  /**
   * @param when on the monotonic clock
   */
  private record Said(Notice notice, Instant when) {}

  Notices(EventRecorder events, Time time) {
    this.events = events;
    this.time = time;
  }

  /** Whether this is worth saying about an object. */
  boolean isNews(JsonObject object, Notice notice) {
    Said before = said.get(Metadata.of(object).uid());
    return before == null
        || !before.notice().equals(notice)
        || !time.monotonicNow().isBefore(before.when().plus(AGAIN));
  }

  /** Says what an object waits for; null if nothing. */
  void waits(JsonObject object, @Nullable Notice notice) {
    String uid = Metadata.of(object).uid();
    if (notice == null) {
      said.remove(uid);
      return;
    }
    if (isNews(object, notice)) {
      said.put(uid, new Said(notice, time.monotonicNow()));
      tell(object, notice);
    }
  }

  /** Says what happened to an object. */
  void tell(JsonObject object, Notice notice) {
    events.record(
        object,
        notice.warning() ? EventRecorder.Type.WARNING : EventRecorder.Type.NORMAL,
        notice.reason(),
        notice.reason(),
        notice.message());
  }

  /** The object is gone. */
  void forget(JsonObject object) {
    said.remove(Metadata.of(object).uid());
  }
}
