package dev.berth.scheduler.queue;

import dev.berth.scheduler.plugin.ClusterEvent;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Predicate;

/**
 * The pods that are being scheduled, and the events since each was popped. A decision is made on
 * the cluster as it is then; events that arrive before the pod is put back are compared to its
 * refusal, or it would wait for something that has already happened.
 *
 * <p>There is one log of events for all: each pod knows the position at which it was popped, and
 * what is older than the oldest of these is dropped. Should one pod take very long, the log drops
 * its oldest events, and that pod counts as helped by them.
 */
final class InFlightPods {
  /** The log is never longer than this. */
  static final int MAX_EVENTS = 1 << 16;

  /** In the order in which they were popped. */
  private final SequencedMap<String, QueueEntry> pods = new LinkedHashMap<>();

  private final ArrayDeque<ClusterEvent> events = new ArrayDeque<>();

  /** How many events were dropped: the position of the log's first. */
  private long dropped;

  int size() {
    return pods.size();
  }

  void add(QueueEntry entry) {
    entry.poppedAt = dropped + events.size();
    pods.put(entry.uid(), entry);
  }

  /** Logs an event, if there is a pod that it might help. */
  void log(ClusterEvent event) {
    if (pods.isEmpty()) {
      return;
    }
    events.add(event);
    if (events.size() > MAX_EVENTS) {
      events.removeFirst();
      dropped++;
    }
  }

  /** Whether any event since a pod was popped may help it. */
  boolean anySince(QueueEntry entry, Predicate<ClusterEvent> helps) {
    if (entry.poppedAt < dropped) {
      return true;
    }
    long position = dropped;
    for (ClusterEvent event : events) {
      if (position++ >= entry.poppedAt && helps.test(event)) {
        return true;
      }
    }
    return false;
  }

  void remove(QueueEntry entry) {
    if (pods.remove(entry.uid()) == null) {
      return;
    }
    long oldest = pods.isEmpty() ? Long.MAX_VALUE : pods.firstEntry().getValue().poppedAt;
    while (!events.isEmpty() && dropped < oldest) {
      events.removeFirst();
      dropped++;
    }
  }
}
