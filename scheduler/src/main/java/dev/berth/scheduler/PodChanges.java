package dev.berth.scheduler;

import dev.berth.model.core.PodView;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.Cluster;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.message.PodScheduled;
import dev.berth.scheduler.plugin.ClusterEvent.PodEvent;
import dev.berth.scheduler.plugin.ClusterEventKind;
import dev.berth.scheduler.profile.Profiles;
import dev.berth.scheduler.queue.QueuePart;
import dev.berth.scheduler.queue.SchedulingQueue;
import dev.berth.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Handles changes of pods.
 *
 * <ul>
 *   <li>A pod on a node counts there, until it has ended or is gone.
 *   <li>A pod without one waits in the queue, if its scheduler is one of ours and it is not being
 *       deleted.
 *   <li>A pod that is being bound is left alone until the binding has ended.
 * </ul>
 */
final class PodChanges {
  private final Time time;
  private final Cluster cluster;
  private final Placements placements;
  private final NominationChanges nominations;
  private final SchedulingQueue queue;
  private final Profiles profiles;
  private final PodWriter writer;

  PodChanges(Time time, SchedulerState state, PodWriter writer) {
    this.time = time;
    this.cluster = state.cluster();
    this.placements = state.placements();
    this.nominations = state.nominations();
    this.queue = state.queue();
    this.profiles = state.profiles();
    this.writer = writer;
  }

  void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      if (before != null) {
        gone(cluster.read(before));
      }
      return;
    }
    PodInfo pod = cluster.read(after);
    if (pod.view().phase().finished()) {
      gone(pod);
    } else if (!pod.nodeName().isEmpty()) {
      onNode(pod);
    } else if (!placements.isAssumed(pod.uid())) {
      waiting(pod);
    }
  }

  private void gone(PodInfo pod) {
    queue.delete(pod.uid());
    writer.forget(pod);
    nominations.clear(pod);
    if (placements.forget(pod.uid())) {
      queue.handle(new PodEvent(ClusterEventKind.POD_GONE, pod, null), time.monotonicNow());
    }
  }

  private void onNode(PodInfo pod) {
    queue.delete(pod.uid());
    writer.forget(pod);
    PodInfo before = placements.seen(pod, pod.nodeName());
    if (before == null) {
      nominations.placed(pod, pod.nodeName());
      nominations.nodeChanged(pod.nodeName());
    } else {
      // A node may have been kept for it once more, after it was assumed there.
      nominations.clear(pod);
    }
    ClusterEventKind kind = kind(before, pod);
    if (kind != null) {
      queue.handle(new PodEvent(kind, before, pod), time.monotonicNow());
    }
  }

  /** The kind of event that a pod on a node is to others; null if it is none. */
  private static @Nullable ClusterEventKind kind(@Nullable PodInfo before, PodInfo pod) {
    if (before == null || before.nodeName().isEmpty()) {
      return ClusterEventKind.POD_BOUND;
    }
    if (!before.labels().equals(pod.labels())) {
      return ClusterEventKind.POD_LABELS_CHANGED;
    }
    return before.requests().equals(pod.requests()) ? null : ClusterEventKind.POD_SCALED_DOWN;
  }

  private void waiting(PodInfo pod) {
    PodView view = pod.view();
    if (view.terminating() || profiles.find(view.spec().schedulerName()) == null) {
      queue.delete(pod.uid());
      writer.forget(pod);
      nominations.clear(pod);
      return;
    }
    nominations.nominate(pod, writer.nominatedNode(pod));
    if (queue.add(pod, time.monotonicNow()) == QueuePart.GATED) {
      writer.report(pod, PodScheduled.gated(), null);
    }
  }
}
