package dev.berth.serving.flowcontrol;

import dev.berth.access.Action;
import dev.berth.policy.flowcontrol.Work;
import dev.berth.serving.request.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How many seats a request takes, with upstream's numbers.
 *
 * <ul>
 *   <li>A list takes one for each 100 kB that it sends. It is sent piece by piece from memory, so
 *       that no more than 1 MB counts. A watch that begins with all objects is a list.
 *   <li>A write takes one, and then, if ten or more watches see it, one for each ten of them for 5
 *       ms; at most ten, for accordingly longer.
 *   <li>Everything else takes one.
 * </ul>
 *
 * No request takes more than its level allows.
 */
final class WorkEstimator {
  private static final long BYTES_PER_SEAT = 100_000;
  private static final long MOST_BYTES = 1_000_000;
  private static final int WATCHES_PER_SEAT = 10;
  private static final int MOST_FINAL_SEATS = 10;
  private static final Duration PER_EVENT = Duration.ofMillis(5);

  private final StoredSizes sizes;
  private final WatchCounts watches;

  WorkEstimator(StoredSizes sizes, WatchCounts watches) {
    this.sizes = sizes;
    this.watches = watches;
  }

  /**
   * @param maxSeats the most seats that a request of its level may take
   */
  Work estimate(Action action, Query query, int maxSeats, Instant now) {
    if (!(action instanceof Action.OnResource on)) {
      return Work.ONE_SEAT;
    }
    return switch (on.verb()) {
      case "list" -> list(on, query, maxSeats, now);
      case "watch" -> sendsAll(query) ? list(on, query, maxSeats, now) : Work.ONE_SEAT;
      case "create", "update", "patch", "delete" -> write(on, maxSeats);
      default -> Work.ONE_SEAT;
    };
  }

  private static boolean sendsAll(Query query) {
    String revision = query.text("resourceVersion");
    return query.flag("sendInitialEvents") || revision.isEmpty() || revision.equals("0");
  }

  private Work list(Action.OnResource on, Query query, int maxSeats, Instant now) {
    Optional<StoredSizes.Size> size = sizes.of(on, now);
    if (size.isEmpty()) {
      return Work.ONE_SEAT;
    }
    long objects = size.get().objects();
    long limit = limit(query);
    if (limit > 0) {
      objects = Math.min(objects, limit);
    }
    if (!on.name().isEmpty()) {
      objects = Math.min(objects, 1);
    }
    long bytes = Math.min(MOST_BYTES, objects * size.get().averageBytes());
    long seats = Math.ceilDiv(bytes, BYTES_PER_SEAT);
    return Work.seats(Math.clamp(seats, 1, maxSeats));
  }

  /** What is no number is refused later; until then the list counts as a whole one. */
  private static long limit(Query query) {
    try {
      return Long.parseLong(query.text("limit"));
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  private Work write(Action.OnResource on, int maxSeats) {
    int concerned = on.subresource().equals("token") ? 0 : watches.concernedBy(on);
    if (concerned < WATCHES_PER_SEAT) {
      return Work.ONE_SEAT;
    }
    int seats = Math.ceilDiv(concerned, WATCHES_PER_SEAT);
    int granted = Math.min(seats, Math.min(maxSeats, MOST_FINAL_SEATS));
    return new Work(1, granted, PER_EVENT.multipliedBy(seats).dividedBy(granted));
  }
}
