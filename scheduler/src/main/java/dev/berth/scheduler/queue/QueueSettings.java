package dev.berth.scheduler.queue;

import java.time.Duration;

/**
 * How long pods wait.
 *
 * @param initialBackoff after the first failed attempt; doubled with each further one
 * @param maxBackoff the longest back-off
 * @param maxUnschedulable how long a pod stays unschedulable when no event may help it; then it is
 *     retried, in case a hint was wrong
 * @param idleSkipsBackoff whether a pod that something may have helped is tried before its back-off
 *     is over while no other pod waits, as upstream does since 1.33: back-off is there to let
 *     others go first. Pods that met errors always sit it out
 */
public record QueueSettings(
    Duration initialBackoff,
    Duration maxBackoff,
    Duration maxUnschedulable,
    boolean idleSkipsBackoff) {
  public static final QueueSettings DEFAULT =
      new QueueSettings(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(5), true);

  public QueueSettings withBackoff(Duration initial, Duration max) {
    return new QueueSettings(initial, max, maxUnschedulable, idleSkipsBackoff);
  }

  /** The back-off after a number of failures in a row. */
  Duration backoff(int failures) {
    if (failures == 0) {
      return Duration.ZERO;
    }
    Duration backoff = initialBackoff;
    for (int i = 1; i < failures; i++) {
      if (backoff.compareTo(maxBackoff.minus(backoff)) > 0) {
        return maxBackoff;
      }
      backoff = backoff.plus(backoff);
    }
    return backoff;
  }
}
