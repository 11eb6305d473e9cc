package dev.berth.policy.autoscale;

import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.PodPhase;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The pods of a target, by what their metrics are worth. The first that applies counts:
 *
 * <ol>
 *   <li>Pods that are being deleted or have failed are ignored.
 *   <li>Pending pods are unready.
 *   <li>Pods without metrics are missing.
 *   <li>If the processor is measured, pods are unready that nobody said to be ready or not; that
 *       are in their initialization period and are not ready, or were not for a whole window of the
 *       metric; and that are not ready and never were.
 *   <li>All others are ready.
 * </ol>
 */
record PodGroups(int ready, Set<String> unready, Set<String> missing, Set<String> ignored) {

  static PodGroups of(
      Collection<MeasuredPod> pods,
      Map<String, PodMetric> metrics,
      boolean isCpu,
      AutoscalerSettings settings,
      Instant now) {
    int ready = 0;
    Set<String> unready = new LinkedHashSet<>();
    Set<String> missing = new LinkedHashSet<>();
    Set<String> ignored = new LinkedHashSet<>();
    for (MeasuredPod pod : pods) {
      PodMetric metric = metrics.get(pod.name());
      if (pod.isBeingDeleted() || pod.phase() == PodPhase.FAILED) {
        ignored.add(pod.name());
      } else if (pod.phase() == PodPhase.PENDING) {
        unready.add(pod.name());
      } else if (metric == null) {
        missing.add(pod.name());
      } else if (isCpu && isUnready(pod, metric, settings, now)) {
        unready.add(pod.name());
      } else {
        ready++;
      }
    }
    return new PodGroups(ready, unready, missing, ignored);
  }

  private static boolean isUnready(
      MeasuredPod pod, PodMetric metric, AutoscalerSettings settings, Instant now) {
    Instant start = pod.startTime();
    if (pod.ready() == null || start == null) {
      return true;
    }
    boolean isFalse = pod.ready() == ConditionStatus.FALSE;
    return start.plus(settings.cpuInitializationPeriod()).isAfter(now)
        ? isFalse || metric.timestamp().isBefore(pod.readySince().plus(metric.window()))
        : isFalse && start.plus(settings.initialReadinessDelay()).isAfter(pod.readySince());
  }
}
