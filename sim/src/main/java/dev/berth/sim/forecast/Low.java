package dev.berth.sim.forecast;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How far below what is needed a count went, and when. */
final class Low {
  long lowest = Long.MAX_VALUE;
  @Nullable Instant since;
  @Nullable Instant until;

  /** The count has changed. */
  void count(long count, long needed, Instant now) {
    lowest = Math.min(lowest, count);
    if (count < needed) {
      since = since == null ? now : since;
      until = null;
    } else if (since != null && until == null) {
      until = now;
    }
  }
}
