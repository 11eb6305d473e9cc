package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.cluster.resource.ResourceAmounts;
import dev.berth.scheduler.cluster.resource.ResourceTable;
import dev.berth.scheduler.plugin.Refusal;
import dev.berth.scheduler.plugin.resources.Shortage;
import dev.berth.scheduler.plugin.resources.Shortage.Lack;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node whose pods matter by their requests alone: removing a pod is adding numbers. This is what
 * nearly all preemption comes down to. It leaves the cluster and its listeners alone, unlike a
 * {@link FilterTrial}.
 *
 * <p>What the node refuses the pod for regardless of its pods stays a refusal.
 */
final class ArithmeticTrial implements NodeTrial {
  private final Cluster cluster;
  private final int node;
  private final ResourceAmounts wanted;
  private final long[] free;
  private final @Nullable Refusal regardless;
  private long freePods;

  ArithmeticTrial(
      Cluster cluster,
      PodInfo pod,
      int node,
      List<PodInfo> nominated,
      @Nullable Refusal regardless) {
    this.cluster = cluster;
    this.node = node;
    this.wanted = pod.requests();
    this.regardless = regardless;
    this.free = new long[wanted.size()];
    for (int i = 0; i < free.length; i++) {
      int column = wanted.column(i);
      free[i] = cluster.allocatable(column, node) - cluster.requested(column, node);
    }
    this.freePods =
        cluster.allocatable(ResourceTable.PODS, node) - cluster.requested(ResourceTable.PODS, node);
    nominated.forEach(this::add);
  }

  @Override
  public void remove(PodInfo pod) {
    change(pod, 1);
  }

  @Override
  public void add(PodInfo pod) {
    change(pod, -1);
  }

  private void change(PodInfo pod, int sign) {
    ResourceAmounts amounts = pod.requests();
    for (int i = 0; i < free.length; i++) {
      free[i] += sign * amounts.get(wanted.column(i));
    }
    freePods += sign;
  }

  @Override
  public boolean fits() {
    return regardless == null && hasEnough();
  }

  private boolean hasEnough() {
    if (freePods < 1) {
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
  public @Nullable Refusal refusal() {
    return hasEnough() ? regardless : shortage();
  }

  private Shortage shortage() {
    List<Lack> lacks = new ArrayList<>();
    if (freePods < 1) {
      lacks.add(lack(ResourceTable.PODS, 1, freePods));
    }
    for (int i = 0; i < free.length; i++) {
      if (wanted.amount(i) > free[i]) {
        lacks.add(lack(wanted.column(i), wanted.amount(i), free[i]));
      }
    }
    return new Shortage(lacks);
  }

  private Lack lack(int column, long asked, long left) {
    long all = cluster.allocatable(column, node);
    return new Lack(cluster.resources().name(column), asked, all - left, all);
  }
}
