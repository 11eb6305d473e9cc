package dev.berth.sim.record;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * How a workload fared. It is complete when as many pods are ready as it wants; before it is for
 * the first time, nothing is missing.
 */
public final class WorkloadHistory {
  private final WorkloadId id;
  private final StepSeries desired = new StepSeries();
  private final StepSeries available = new StepSeries();
  private final StepSeries pending = new StepSeries();
  private final StepSeries budget = new StepSeries();
  private long completeAt = -1;
  private int evictions;
  private int pods;
  private String failure = "";

  WorkloadHistory(WorkloadId id) {
    this.id = id;
  }

  /** The moment at which the least of what was wanted was there. */
  public record Worst(long at, long available, long desired) {}

  public WorkloadId id() {
    return id;
  }

  /** How many pods it wants. */
  public StepSeries desired() {
    return desired;
  }

  /** How many of its pods are ready and not about to end. */
  public StepSeries available() {
    return available;
  }

  /** How many of its pods have no node. */
  public StepSeries pending() {
    return pending;
  }

  /** How many pods its disruption budget wants to be ready; always 0 if it has none. */
  public StepSeries budget() {
    return budget;
  }

  /** When it was first complete, in milliseconds. */
  public OptionalLong completeAt() {
    return completeAt < 0 ? OptionalLong.empty() : OptionalLong.of(completeAt);
  }

  public int evictions() {
    return evictions;
  }

  /** How many pods it has had. */
  public int pods() {
    return pods;
  }

  /** Why its pods could not be created, as was last said; empty if nothing was. */
  public String failure() {
    return failure;
  }

  void failsToCreate(String why) {
    failure = why;
  }

  void desires(long time, long count) {
    desired.set(time, count);
    check(time);
  }

  void count(long time, int availableBy, int pendingBy) {
    available.set(time, available.last() + availableBy);
    pending.set(time, pending.last() + pendingBy);
    check(time);
  }

  void evicted() {
    evictions++;
  }

  void podAdded() {
    pods++;
  }

  private void check(long time) {
    if (completeAt < 0 && desired.last() > 0 && available.last() >= desired.last()) {
      completeAt = time;
    }
  }

  /** The worst moment after it was first complete, or after a later time; the first of equals. */
  public Worst worst(long notBefore) {
    long from = Math.max(notBefore, completeAt < 0 ? Long.MAX_VALUE : completeAt);
    Worst worst = new Worst(-1, 0, 0);
    double least = Double.MAX_VALUE;
    if (from == Long.MAX_VALUE) {
      return worst;
    }
    for (int i = -1; i < available.size() + desired.size(); i++) {
      long time = i < 0 ? from : moment(i);
      if (time < from || desired.at(time) == 0) {
        continue;
      }
      double share = (double) available.at(time) / desired.at(time);
      boolean earlier = share == least && time < worst.at;
      if (share < least || earlier) {
        least = share;
        worst = new Worst(time, available.at(time), desired.at(time));
      }
    }
    return worst;
  }

  private long moment(int index) {
    return index < available.size()
        ? available.time(index)
        : desired.time(index - available.size());
  }

  /** For how long fewer pods were available than wanted, after it was first complete. */
  public long incompleteMillis(long end) {
    if (completeAt < 0) {
      return 0;
    }
    long total = 0;
    long since = -1;
    long[] moments = new long[available.size() + desired.size() + 1];
    for (int i = 0; i < moments.length - 1; i++) {
      moments[i] = moment(i);
    }
    moments[moments.length - 1] = end;
    Arrays.sort(moments);
    for (long time : moments) {
      if (time < completeAt) {
        continue;
      }
      if (since >= 0) {
        total += time - since;
        since = -1;
      }
      if (available.at(time) < desired.at(time)) {
        since = time;
      }
    }
    return total;
  }
}
