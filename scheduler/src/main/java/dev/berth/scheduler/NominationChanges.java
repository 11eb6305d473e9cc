package dev.berth.scheduler;

import dev.berth.scheduler.cluster.Nominations;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.queue.SchedulingQueue;
import dev.berth.time.Time;

/**
 * Changes which pods are nominated to which nodes, and wakes those to whom that matters. Lives on
 * the scheduler's loop.
 *
 * <ol>
 *   <li>A node that is no longer kept for a pod has room for others of no higher priority. That a
 *       pod is bound to the very node that was kept for it frees nothing.
 *   <li>Whoever is nominated to a node that changes, or that another pod takes room of, looks
 *       again: its victims may leave and still not make room enough.
 * </ol>
 */
final class NominationChanges {
  private final Time time;
  private final Nominations nominations;
  private final SchedulingQueue queue;

  NominationChanges(Time time, Nominations nominations, SchedulingQueue queue) {
    this.time = time;
    this.nominations = nominations;
    this.queue = queue;
  }

  /** Nominates a pod to a node, or to none if the name is empty. */
  void nominate(PodInfo pod, String node) {
    String before = nominations.nodeOf(pod);
    if (node.isEmpty()) {
      nominations.remove(pod);
    } else {
      nominations.put(pod, node);
    }
    if (!before.isEmpty() && !before.equals(node)) {
      released(pod);
    }
  }

  /** Forgets a pod's nomination, if it has one. */
  void clear(PodInfo pod) {
    nominate(pod, "");
  }

  /**
   * A pod is on a node, or is assumed there, and counts as itself from now on. If the node was not
   * kept for it, it may have taken what was kept for pods of lower priority.
   */
  void placed(PodInfo pod, String node) {
    String before = nominations.nodeOf(pod);
    nominations.remove(pod);
    if (before.equals(node)) {
      return;
    }
    lookAgain(node, pod.priority());
    if (!before.isEmpty()) {
      released(pod);
    }
  }

  /** A node has changed or has gone, or somebody put a pod there without asking. */
  void nodeChanged(String node) {
    lookAgain(node, Long.MAX_VALUE);
  }

  private void lookAgain(String node, long belowPriority) {
    nominations.on(node).stream()
        .filter(pod -> pod.priority() < belowPriority)
        .forEach(pod -> queue.activate(pod.uid(), time.monotonicNow()));
  }

  private void released(PodInfo pod) {
    queue.handle(new PodEvent(ClusterEventKind.NOMINATION_GONE, pod, null), time.monotonicNow());
  }
}
