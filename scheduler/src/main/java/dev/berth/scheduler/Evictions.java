package dev.berth.scheduler;

import dev.berth.client.ApiResult;
import dev.berth.scheduler.cluster.PodInfo;
import dev.berth.scheduler.preemption.PreemptionAction;
import dev.berth.scheduler.preemption.PreemptionDecision.Preempt;
import dev.berth.time.Time;
import java.util.List;
import java.util.Set;

/**
 * Makes room for pods as preemption decided. The pod that room is made for stays taken out of the
 * queue until its victims were asked to leave, or it would look for further ones.
 */
final class Evictions {
  private final SchedulerState state;
  private final PodWriter writer;
  private final Reporter events;
  private final Time time;
  private final Runnable ended;

  Evictions(SchedulerState state, Attempts.Tools tools) {
    this.state = state;
    this.writer = tools.writer();
    this.events = tools.events();
    this.time = tools.time();
    this.ended = tools.ended();
  }

  /**
   * @param refusing the plugins that refused the pod, for the queue
   */
  void begin(Preempt preempt, PodInfo pod, Set<String> refusing) {
    Round round = new Round(pod, refusing);
    List<PreemptionAction> actions = PreemptionAction.of(preempt, pod);
    for (PreemptionAction action : actions) {
      switch (action) {
        case PreemptionAction.Nominate(PodInfo nominated, String node) ->
            state.cluster().nominations().put(nominated, node);
        case PreemptionAction.ClearNomination(PodInfo other) -> {
          state.cluster().nominations().remove(other);
          writer.clearNomination(other);
          state.queue().activate(other.uid(), time.monotonicNow());
        }
        case PreemptionAction.Evict evict -> {
          round.left++;
          writer.evict(
              evict.victim(),
              evict.condition(),
              result -> {
                if (result.isDone()) {
                  events.record(evict.victim(), evict.event(), pod);
                }
                round.ended(result);
              });
        }
      }
    }
    round.endIfDone();
  }

  /** The evictions for one pod. */
  private final class Round {
    private final PodInfo pod;
    private final Set<String> refusing;
    private int left;
    private boolean failed;

    Round(PodInfo pod, Set<String> refusing) {
      this.pod = pod;
      this.refusing = refusing;
    }

    void ended(ApiResult result) {
      left--;
      failed |= !result.isDone() && !result.isNotFound() && !result.isConflict();
      endIfDone();
    }

    void endIfDone() {
      if (left == 0) {
        // A victim that could not be asked to leave is no reason to wait for it.
        state.queue().putBack(pod, failed ? Set.of() : refusing, time.monotonicNow());
        ended.run();
      }
    }
  }
}
