package dev.berth.policy.autoscale;

import dev.berth.policy.autoscale.UsageGoal.Usage;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How many replicas are needed so that each pod uses of something what it should.
 *
 * <ol>
 *   <li>Only pods that are ready count at first: the ratio of what they use to what they should is
 *       the ratio of the replicas that are needed to those that there are.
 *   <li>If pods lack metrics, or are not ready while the others use too much, they are taken into
 *       account with the assumption that speaks against the change: what lacks metrics uses what it
 *       should when the others use too little, and nothing when they use too much; what is not
 *       ready uses nothing.
 *   <li>If that leads to a change in the other direction, or to one that is within the tolerances,
 *       nothing changes.
 * </ol>
 */
final class PodMetricReplicas {
  static final String NO_PODS = "no pods returned by selector while calculating replica count";
  private static final String NO_METRICS =
      "did not receive metrics for targeted pods (pods might be unready)";
  private static final String NOT_OURS = "no metrics returned matched known pods";

  private PodMetricReplicas() {}

  /**
   * What is to be counted.
   *
   * @param current how many replicas there should be now
   * @param metrics by name of the pod
   * @param isCpu whether they are of the processor
   */
  record Question(
      int current,
      Collection<MeasuredPod> pods,
      Map<String, PodMetric> metrics,
      boolean isCpu,
      Tolerances tolerances) {}

  /** By what pods request of a resource. */
  static ReplicaCount byUtilization(
      Question question,
      int percent,
      String resource,
      String container,
      AutoscalerSettings settings,
      Instant now) {
    PodGroups groups = groups(question, settings, now);
    Map<String, Long> used = used(question, groups);
    Optional<ReplicaCount.Unknown> nothing = nothingToCount(question, used);
    if (nothing.isPresent()) {
      return nothing.get();
    }
    PodRequestAmounts requests = PodRequestAmounts.of(question.pods(), container, resource);
    return requests.problem().isEmpty()
        ? count(question, groups, used, new UsageGoal.Utilization(percent, requests.amounts()))
        : new ReplicaCount.Unknown(requests.problem());
  }

  /** By a value that each pod should have, in thousandths. */
  static ReplicaCount byAverage(
      Question question, long target, AutoscalerSettings settings, Instant now) {
    PodGroups groups = groups(question, settings, now);
    Map<String, Long> used = used(question, groups);
    Optional<ReplicaCount.Unknown> nothing = nothingToCount(question, used);
    return nothing.isPresent()
        ? nothing.get()
        : count(question, groups, used, new UsageGoal.Average(target));
  }

  private static PodGroups groups(Question question, AutoscalerSettings settings, Instant now) {
    return PodGroups.of(question.pods(), question.metrics(), question.isCpu(), settings, now);
  }

  private static Map<String, Long> used(Question question, PodGroups groups) {
    Map<String, Long> used = new LinkedHashMap<>();
    question.metrics().forEach((pod, metric) -> used.put(pod, metric.value()));
    used.keySet().removeAll(groups.ignored());
    used.keySet().removeAll(groups.unready());
    return used;
  }

  private static Optional<ReplicaCount.Unknown> nothingToCount(
      Question question, Map<String, Long> used) {
    if (question.pods().isEmpty()) {
      return Optional.of(new ReplicaCount.Unknown(NO_PODS));
    }
    return used.isEmpty() ? Optional.of(new ReplicaCount.Unknown(NO_METRICS)) : Optional.empty();
  }

  private static ReplicaCount count(
      Question question, PodGroups groups, Map<String, Long> used, UsageGoal goal) {
    Optional<Usage> measured = goal.compare(used);
    if (measured.isEmpty()) {
      return new ReplicaCount.Unknown(NOT_OURS);
    }
    Usage usage = measured.get();
    double ratio = usage.ratio();
    boolean countsUnready = !groups.unready().isEmpty() && ratio > 1;
    if (!countsUnready && groups.missing().isEmpty()) {
      boolean isFine = question.tolerances().isWithin(ratio);
      return known(
          isFine ? question.current() : ReplicaCount.roundedUp(ratio * groups.ready()), usage);
    }
    if (ratio < 1) {
      groups.missing().forEach(pod -> used.put(pod, goal.assumed(pod)));
    } else if (ratio > 1) {
      idle(used, groups.missing());
    }
    if (countsUnready) {
      idle(used, groups.unready());
    }
    Optional<Usage> assumed = goal.compare(used);
    return assumed.isEmpty()
        ? new ReplicaCount.Unknown(NOT_OURS)
        : known(careful(question, ratio, assumed.get().ratio(), used.size()), usage);
  }

  private static void idle(Map<String, Long> used, Set<String> pods) {
    pods.forEach(pod -> used.put(pod, 0L));
  }

  /** Follows the ratio with all assumptions, unless it turns the change round. */
  private static int careful(Question question, double ratio, double assumed, int counted) {
    boolean isTurned = (ratio < 1 && assumed > 1) || (ratio > 1 && assumed < 1);
    int current = question.current();
    if (question.tolerances().isWithin(assumed) || isTurned) {
      return current;
    }
    int replicas = ReplicaCount.roundedUp(assumed * counted);
    boolean isWrongWay = (assumed < 1 && replicas > current) || (assumed > 1 && replicas < current);
    return isWrongWay ? current : replicas;
  }

  private static ReplicaCount known(int replicas, Usage usage) {
    return new ReplicaCount.Known(replicas, usage.utilization(), usage.average());
  }
}
