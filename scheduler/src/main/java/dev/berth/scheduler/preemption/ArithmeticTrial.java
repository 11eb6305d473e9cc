package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.Amounts;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.cluster.ResourceTable;
import dev.berth.scheduler.plugin.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node of which only what is free matters: taking a pod off is adding numbers. This is what
 * nearly all preemption comes down to, and touches nothing of the cluster, which would have to tell
 * everybody.
 *
 * <p>What the node refuses the pod for whatever its pods are stays a refusal.
 */
final class ArithmeticTrial implements NodeTrial {
  private final Cluster cluster;
  private final Amounts wanted;
  private final long[] free;
  private final @Nullable Refusal regardless;
  private long slots;

  ArithmeticTrial(
      Cluster cluster,
      PodInfo pod,
      int node,
      List<PodInfo> promised,
      @Nullable Refusal regardless) {
    this.cluster = cluster;
    this.wanted = pod.requests();
    this.regardless = regardless;
    this.free = new long[wanted.size()];
    for (int i = 0; i < free.length; i++) {
      int column = wanted.column(i);
      free[i] = cluster.allocatable(column, node) - cluster.requested(column, node);
    }
    this.slots =
        cluster.allocatable(ResourceTable.PODS, node) - cluster.requested(ResourceTable.PODS, node);
    for (PodInfo other : promised) {
      giveBack(other);
    }
  }

  @Override
  public void take(PodInfo pod) {
    count(pod, 1);
  }

  @Override
  public void giveBack(PodInfo pod) {
    count(pod, -1);
  }

  private void count(PodInfo pod, int sign) {
    Amounts amounts = pod.requests();
    for (int i = 0; i < free.length; i++) {
      free[i] += sign * amounts.get(wanted.column(i));
    }
    slots += sign;
  }

  @Override
  public boolean fits() {
    return regardless == null && hasRoom();
  }

  private boolean hasRoom() {
    if (slots < 1) {
      return false;
    }
    for (int i = 0; i < free.length; i++) {
      if (wanted.amount(i) > free[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public @Nullable List<String> refusal() {
    if (hasRoom()) {
      return regardless == null ? null : regardless.messages();
    }
    List<String> reasons = new ArrayList<>();
    if (slots < 1) {
      reasons.add("Too many pods");
    }
    for (int i = 0; i < free.length; i++) {
      if (wanted.amount(i) > free[i]) {
        reasons.add("Insufficient " + cluster.resources().name(wanted.column(i)));
      }
    }
    return reasons;
  }
}
