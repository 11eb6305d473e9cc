package dev.berth.controllers.nodelifecycle;

import java.time.Instant;

/**
 * Signs of life of nodes that are known without being written. Where there are real nodes there are
 * none; a simulation knows when its healthy nodes would have renewed their leases, and spares
 * itself thousands of renewals a second.
 */
@FunctionalInterface
public interface KnownHeartbeats {
  KnownHeartbeats NONE = (node, now) -> Instant.MIN;

  /**
   * When a node last gave such a sign by now, on the monotonic clock; {@link Instant#MIN} if it
   * never did.
   */
  Instant last(String node, Instant now);
}
