package dev.berth.scheduler;

import dev.berth.client.ApiResult;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.preemption.PreemptionAction;
import dev.berth.scheduler.preemption.PreemptionDecision.Preempt;
import dev.berth.time.Time;
import java.util.List;
import java.util.Set;

/**
 * Carries out what preemption decided. The preemptor stays in flight until its victims were
 * deleted, or it would look for further ones.
 */
final class PreemptionExecutor {
  private final SchedulerState state;
  private final PodWriter writer;
  private final SchedulerEvents events;
  private final Time time;
  private final Runnable ended;

  PreemptionExecutor(
      Time time, SchedulerState state, PodWriter writer, SchedulerEvents events, Runnable ended) {
    this.time = time;
    this.state = state;
    this.writer = writer;
    this.events = events;
    this.ended = ended;
  }

  /**
   * Nominates the pod, and evicts the victims.
   *
   * @param refusing the plugins that refused the pod, for the queue
   */
  void execute(Preempt preempt, PodInfo pod, Set<String> refusing) {
    Evictions evictions = new Evictions(pod, refusing);
    List<PreemptionAction> actions = PreemptionAction.of(preempt, pod);
    for (PreemptionAction action : actions) {
      switch (action) {
        case PreemptionAction.Nominate(PodInfo nominated, String node) ->
            state.nominations().nominate(nominated, node);
        case PreemptionAction.ClearNomination(PodInfo other) -> {
          state.nominations().clear(other);
          writer.clearNomination(other);
          state.queue().activate(other.uid(), time.monotonicNow());
        }
        case PreemptionAction.Evict evict -> {
          evictions.pending++;
          writer.evict(
              evict.victim(),
              evict.condition(),
              result -> {
                if (result.isDone()) {
                  events.record(evict.victim(), evict.event(), pod);
                }
                evictions.ended(result);
              });
        }
      }
    }
    evictions.endIfDone();
  }

  /** The evictions for one preemptor. */
  private final class Evictions {
    private final PodInfo pod;
    private final Set<String> refusing;
    private int pending;
    private boolean failed;

    Evictions(PodInfo pod, Set<String> refusing) {
      this.pod = pod;
      this.refusing = refusing;
    }

    void ended(ApiResult result) {
      pending--;
      failed |= !result.isDone() && !result.isNotFound();
      endIfDone();
    }

    void endIfDone() {
      if (pending == 0) {
        // If a victim could not be deleted, there is nothing to wait for: the pod is retried.
        state.queue().putBack(pod, failed ? Set.of() : refusing, time.monotonicNow());
        ended.run();
      }
    }
  }
}
