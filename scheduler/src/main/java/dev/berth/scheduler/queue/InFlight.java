package dev.berth.scheduler.queue;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Predicate;

/**
 * The pods that are being tried, and what happened meanwhile. Deciding sees the cluster as it was
 * when the pod was taken out; what happens until it comes back is held against its refusal then, or
 * it would wait for something that has already come.
 *
 * <p>One log for all: each pod remembers where the log was when it was taken out, and what is older
 * than the oldest of them is forgotten. Should one pod take very long, the log forgets what
 * happened first, and that pod is taken to be helped by it.
 */
final class InFlight {
  /** More than this is remembered for nobody. */
  static final int MOST_REMEMBERED = 1 << 16;

  /** In the order in which they were taken out, so the first is the oldest. */
  private final SequencedMap<String, Entry> pods = new LinkedHashMap<>();

  private final ArrayDeque<ClusterEvent> log = new ArrayDeque<>();

  /** How many happenings were forgotten: the number of the log's first. */
  private long forgotten;

  int size() {
    return pods.size();
  }

  void add(Entry entry) {
    entry.outSince = forgotten + log.size();
    pods.put(entry.uid(), entry);
  }

  /** Takes note of something that happened, if there is a pod it might matter to. */
  void happened(ClusterEvent event) {
    if (pods.isEmpty()) {
      return;
    }
    log.add(event);
    if (log.size() > MOST_REMEMBERED) {
      log.removeFirst();
      forgotten++;
    }
  }

  /** Whether anything has happened since a pod was taken out. */
  boolean anythingSince(Entry entry) {
    return entry.outSince < forgotten + log.size();
  }

  /** Whether anything that happened since a pod was taken out may help it. */
  boolean anySince(Entry entry, Predicate<ClusterEvent> helps) {
    if (entry.outSince < forgotten) {
      return true;
    }
    long place = forgotten;
    for (ClusterEvent event : log) {
      if (place++ >= entry.outSince && helps.test(event)) {
        return true;
      }
    }
    return false;
  }

  void remove(Entry entry) {
    if (pods.remove(entry.uid()) == null) {
      return;
    }
    long oldest = pods.isEmpty() ? Long.MAX_VALUE : pods.firstEntry().getValue().outSince;
    while (!log.isEmpty() && forgotten < oldest) {
      log.removeFirst();
      forgotten++;
    }
  }
}
