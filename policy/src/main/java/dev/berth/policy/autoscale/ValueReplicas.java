package dev.berth.policy.autoscale;

import dev.berth.model.core.PodPhase;
import java.util.Collection;
import java.util.List;

/** How many replicas are needed by a value that is not of pods but of something else. */
final class ValueReplicas {
  private ValueReplicas() {}

  /** The sum of values; the greatest number if that is too small for it. */
  static long sum(List<Long> values) {
    long sum = 0;
    for (long value : values) {
      if (value > 0 && sum > Long.MAX_VALUE - value) {
        return Long.MAX_VALUE;
      }
      sum += value;
    }
    return sum;
  }

  /**
   * The value should be the target, however many replicas there are: its ratio to that is the ratio
   * of the replicas that are needed to the pods that are ready.
   *
   * @param current how many replicas there should be now
   */
  static ReplicaCount byValue(
      int current, long usage, long target, Collection<MeasuredPod> pods, Tolerances tolerances) {
    double ratio = (double) usage / target;
    if (current == 0) {
      return new ReplicaCount.Known(ReplicaCount.roundedUp(ratio), usage);
    }
    if (tolerances.isWithin(ratio)) {
      return new ReplicaCount.Known(current, usage);
    }
    if (pods.isEmpty()) {
      return new ReplicaCount.Unknown(
          "unable to calculate ready pods: " + PodMetricReplicas.NO_PODS);
    }
    long ready =
        pods.stream().filter(pod -> pod.phase() == PodPhase.RUNNING && pod.isReady()).count();
    return new ReplicaCount.Known(ReplicaCount.roundedUp(ratio * ready), usage);
  }

  /**
   * The value is shared by all replicas, and each one's share should be the target.
   *
   * @param present how many replicas there are
   */
  static ReplicaCount.Known byAverage(int present, long usage, long target, Tolerances tolerances) {
    double ratio = usage / ((double) target * present);
    int replicas =
        tolerances.isWithin(ratio) ? present : ReplicaCount.roundedUp((double) usage / target);
    // Unlike upstream, whose average over no pods is not a number.
    long average =
        usage == Long.MAX_VALUE ? usage : (long) Math.ceil((double) usage / Math.max(1, present));
    return new ReplicaCount.Known(replicas, average);
  }
}
