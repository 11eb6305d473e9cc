package dev.berth.sim.forecast;

import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.cluster.pod.PodClass;
import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.preemption.PreemptionDecision;
import dev.berth.scheduler.whatif.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** The pods of a forecast that wait for a node. */
final class ForecastScheduling {
  private final ForecastState state;
  private final BiConsumer<ForecastPod, String> placed;
  private final BiConsumer<ForecastPod, ForecastPod> preempted;
  private final List<Waiting> fresh = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final Map<Like, String> failed = new HashMap<>();
  private boolean freed;

  /** Pods for which the scheduler gives the same answer. */
  private record Like(PodClass podClass, JsonObject labels, JsonObject affinity, long priority) {}

  private record Waiting(ForecastPod pod, Like like) {}

  /**
   * @param placed gets a pod and its node
   * @param preempted gets a victim, and the pod that it makes room for
   */
  ForecastScheduling(
      ForecastState state,
      BiConsumer<ForecastPod, String> placed,
      BiConsumer<ForecastPod, ForecastPod> preempted) {
    this.state = state;
    this.placed = placed;
    this.preempted = preempted;
    for (ForecastPod pod : state.pods) {
      if (pod.node.isEmpty() && !pod.terminating) {
        waiting.add(new Waiting(pod, like(pod)));
      }
    }
  }

  private Like like(ForecastPod pod) {
    PodInfo info = state.scheduler.cluster().read(pod.tree);
    return new Like(info.podClass(), info.labels(), info.affinity(), info.priority());
  }

  /** A new pod. */
  void add(ForecastPod pod) {
    fresh.add(new Waiting(pod, like(pod)));
  }

  /** A pod has left its node. */
  void freed() {
    freed = true;
  }

  /** Schedules what can be: those that waited first, if something was freed; by priority. */
  void run() {
    if (freed) {
      freed = false;
      failed.clear();
      fresh.addAll(0, waiting);
      waiting.clear();
    }
    if (fresh.isEmpty()) {
      return;
    }
    List<Waiting> now = new ArrayList<>(fresh);
    fresh.clear();
    now.sort(Comparator.comparingLong((Waiting each) -> -each.like.priority()));
    for (Waiting each : now) {
      String known = failed.get(each.like);
      if (known != null) {
        each.pod.unschedulable = known;
        waiting.add(each);
      } else {
        place(each);
      }
    }
    if (!fresh.isEmpty()) {
      run();
    }
  }

  private void place(Waiting each) {
    ForecastPod pod = each.pod;
    switch (state.scheduler.place(pod.tree)) {
      case Verdict.Placed(String node, int _) -> {
        pod.unschedulable = "";
        placed.accept(pod, node);
      }
      case Verdict.Unschedulable(String message, PreemptionDecision preemption) -> {
        pod.unschedulable = message;
        waiting.add(each);
        if (preemption instanceof PreemptionDecision.Preempt preempt) {
          preempt(pod, preempt);
        } else {
          failed.put(each.like, message);
        }
      }
      case Verdict.NotTried(Verdict.Why why) -> {
        pod.unschedulable =
            switch (why) {
              case GATED -> "it has scheduling gates";
              case OTHER_SCHEDULER -> "its scheduler is another one";
              case TERMINATING -> "it is being deleted";
              case HELD -> "it waits for its claims";
            };
        waiting.add(each);
      }
    }
  }

  /** Keeps the node for the pod, and has the victims leave. */
  private void preempt(ForecastPod pod, PreemptionDecision.Preempt preempt) {
    state.scheduler.put(
        ForecastState.PODS,
        pod.tree.update("status", status -> status.with("nominatedNodeName", preempt.node())));
    for (PodInfo victim : preempt.victims()) {
      List.copyOf(state.on(preempt.node())).stream()
          .filter(other -> other.name.equals(victim.name()))
          .forEach(other -> preempted.accept(other, pod));
    }
  }
}
