package dev.berth.scheduler.preemption;

import dev.berth.model.meta.Times;
import dev.berth.scheduler.cluster.PodInfo;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/**
 * A pod that might make way.
 *
 * @param started when it started, in microseconds; one that has not is the latest of all
 */
record Potential(PodInfo pod, long priority, long started) {
  /** The most important first: the highest priority, then the longest running. */
  static final Comparator<Potential> BY_IMPORTANCE =
      Comparator.comparingLong((Potential potential) -> -potential.priority())
          .thenComparingLong(Potential::started)
          .thenComparing(potential -> potential.pod().name());

  static Potential of(PodInfo pod) {
    return new Potential(pod, pod.priority(), started(pod));
  }

  private static long started(PodInfo pod) {
    String text = pod.tree().object("status").text("startTime");
    if (text == null) {
      return Long.MAX_VALUE;
    }
    try {
      return ChronoUnit.MICROS.between(Instant.EPOCH, Times.parse(text));
    } catch (IllegalArgumentException _) {
      return Long.MAX_VALUE;
    }
  }
}
