package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.pod.PodInfo;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/**
 * A pod that might be preempted.
 *
 * @param started when it started, in microseconds; one that has not is the latest of all
 */
record PotentialVictim(PodInfo pod, long priority, long started) {
  /** The most important first: the highest priority, then the longest running. */
  static final Comparator<PotentialVictim> BY_IMPORTANCE =
      Comparator.comparingLong((PotentialVictim victim) -> -victim.priority())
          .thenComparingLong(PotentialVictim::started)
          .thenComparing(victim -> victim.pod().name());

  static PotentialVictim of(PodInfo pod) {
    return new PotentialVictim(pod, pod.priority(), started(pod));
  }

  private static long started(PodInfo pod) {
    return pod.startTime()
        .map(time -> ChronoUnit.MICROS.between(Instant.EPOCH, time))
        .orElse(Long.MAX_VALUE);
  }
}
