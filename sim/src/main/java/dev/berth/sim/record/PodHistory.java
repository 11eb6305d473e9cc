package dev.berth.sim.record;

import dev.berth.model.resource.ObjectName;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The way of one pod: what it did from when on, and on which node. */
public final class PodHistory {
  private final ObjectName name;
  private final WorkloadId workload;
  private long[] times = new long[4];
  private PodState[] states = new PodState[4];
  private int size;
  private int node = -1;
  private long evictedAt = -1;
  private @Nullable String eviction;
  private @Nullable String pendingBecause;

  PodHistory(ObjectName name, WorkloadId workload) {
    this.name = name;
    this.workload = workload;
  }

  void change(long time, PodState state) {
    if (size > 0 && times[size - 1] == time) {
      states[size - 1] = state;
      return;
    }
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      states = Arrays.copyOf(states, 2 * size);
    }
    times[size] = time;
    states[size++] = state;
  }

  void bound(int index) {
    node = index;
  }

  void evicted(long time, String why) {
    if (evictedAt < 0) {
      evictedAt = time;
      eviction = why;
    }
  }

  void pending(String why) {
    pendingBecause = why;
  }

  public ObjectName name() {
    return name;
  }

  public WorkloadId workload() {
    return workload;
  }

  public int changes() {
    return size;
  }

  public long time(int index) {
    return times[index];
  }

  public PodState state(int index) {
    return states[index];
  }

  public PodState state() {
    return size == 0 ? PodState.PENDING : states[size - 1];
  }

  /** The index of its node; -1 if it never had one. */
  public int node() {
    return node;
  }

  public boolean wasEvicted() {
    return evictedAt >= 0;
  }

  /** In milliseconds from the beginning; -1 if it was not. */
  public long evictedAt() {
    return evictedAt;
  }

  /** Why it was evicted; empty if it was not. */
  public String eviction() {
    return eviction == null ? "" : eviction;
  }

  /** Why no node took it, as the scheduler said last; empty if it never said so. */
  public String pendingBecause() {
    return pendingBecause == null ? "" : pendingBecause;
  }
}
