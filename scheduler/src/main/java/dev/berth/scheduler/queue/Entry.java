package dev.berth.scheduler.queue;

import dev.berth.scheduler.cluster.PodInfo;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A pod in the queue, with what the queue remembers of it. Mutable: owned by the queue. */
final class Entry {
  /**
   * The order of trial: the highest priority, then who came (back) first. The number settles ties,
   * so that two runs on the same input are alike.
   */
  static final Comparator<Entry> BY_TURN =
      Comparator.comparingLong((Entry entry) -> -entry.priority)
          .thenComparing(entry -> entry.since)
          .thenComparingLong(entry -> entry.number);

  static final Comparator<Entry> BY_BACKOFF =
      Comparator.comparing((Entry entry) -> entry.backoffUntil)
          .thenComparingLong(entry -> entry.number);

  static final Comparator<Entry> BY_WAIT =
      Comparator.comparing((Entry entry) -> entry.since).thenComparingLong(entry -> entry.number);

  PodInfo pod;
  QueuePart part = QueuePart.NONE;

  /** The pod's, as long as it stands in an ordered part: there it must not change. */
  long priority;

  /** When it came, or last came back. */
  Instant since;

  /** Grows with each arrival and return. */
  long number;

  Instant backoffUntil = Instant.MIN;
  @Nullable Instant firstReady;
  int attempts;
  int refusals;
  int errors;

  /** The plugins that refused it; empty if it came back because of an error. */
  Set<String> refusing = Set.of();

  /** The alike pods among which it waits; null unless it is unschedulable. */
  @Nullable WaitingGroup group;

  /** Where the log of happenings was when it was taken out. */
  long outSince;

  Entry(PodInfo pod, Instant since, long number) {
    this.pod = pod;
    this.since = since;
    this.number = number;
    this.priority = pod.priority();
  }

  String uid() {
    return pod.uid();
  }

  /** Whether it failed by an error, which waiting pods of the same kind do not share. */
  boolean metError() {
    return errors > 0;
  }

  boolean gated() {
    return !pod.tree().object("spec").array("schedulingGates").isEmpty();
  }
}
