package dev.berth.scheduler.queue;

import dev.berth.scheduler.cluster.pod.PodInfo;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A pod in the queue, and what the queue knows of it. Mutable: owned by the queue. */
final class QueueEntry {
  /**
   * The order of scheduling, upstream's PrioritySort: the highest priority, then who was added
   * first. The number breaks ties, so that two runs on the same input are the same.
   */
  static final Comparator<QueueEntry> BY_PRIORITY =
      Comparator.comparingLong((QueueEntry entry) -> -entry.priority)
          .thenComparing(entry -> entry.since)
          .thenComparingLong(entry -> entry.number);

  static final Comparator<QueueEntry> BY_BACKOFF =
      Comparator.comparing((QueueEntry entry) -> entry.backoffUntil)
          .thenComparingLong(entry -> entry.number);

  static final Comparator<QueueEntry> BY_WAIT =
      Comparator.comparing((QueueEntry entry) -> entry.since)
          .thenComparingLong(entry -> entry.number);

  PodInfo pod;
  QueuePart part = QueuePart.NONE;

  /** The pod's, but unchanged while the entry is in an ordered part. */
  long priority;

  /** When it was added, or last put back. */
  Instant since;

  /** Grows each time that a pod is added or put back. */
  long number;

  Instant backoffUntil = Instant.MIN;
  @Nullable Instant firstReady;
  int attempts;
  int refusals;
  int errors;

  /** The plugins that refused it; empty if it was put back because of an error. */
  Set<String> refusing = Set.of();

  /** The alike pods with which it waits; null unless it is unschedulable. */
  @Nullable WaitingGroup group;

  /** Whether it was activated while it was being scheduled. */
  boolean activated;

  /** The position of the log of events when it was popped. */
  long poppedAt;

  QueueEntry(PodInfo pod, Instant since, long number) {
    this.pod = pod;
    this.since = since;
    this.number = number;
    this.priority = pod.priority();
  }

  String uid() {
    return pod.uid();
  }

  /** Whether its last attempt failed by an error, and not because plugins refused all nodes. */
  boolean hasFailed() {
    return errors > 0;
  }
}
