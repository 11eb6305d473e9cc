package dev.berth.scheduler.preemption;

import dev.berth.scheduler.cluster.pod.PodInfo;
import dev.berth.scheduler.message.FailureMessage;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What was decided about preempting others for a pod. */
public sealed interface PreemptionDecision {

  /**
   * What the failure message says of it, after the nodes' reasons; empty if others are preempted.
   */
  default String message() {
    return switch (this) {
      case Preempt _ -> "";
      case NotEligible(String why) -> "preemption: " + why;
      case NoHelp(int nodes, SortedMap<String, Integer> counts) ->
          nodes == 0 ? "" : "preemption: " + FailureMessage.counted(nodes, counts);
    };
  }

  /**
   * The victims are evicted, and the pod is nominated to their node.
   *
   * @param victims the most important first; those that are on their way out already among them
   * @param budgetViolations how many of them a disruption budget would have kept
   * @param nominations pods of lower priority that are nominated to the same node, which may now be
   *     too small for them: their nominations are cleared
   */
  record Preempt(
      String node, List<PodInfo> victims, int budgetViolations, List<PodInfo> nominations)
      implements PreemptionDecision {

    public Preempt {
      victims = List.copyOf(victims);
      nominations = List.copyOf(nominations);
    }
  }

  /** The pod may not preempt, or not now; its nomination stays. */
  record NotEligible(String why) implements PreemptionDecision {}

  /**
   * Evicting pods of lower priority helps on no node. The nomination of the pod is cleared.
   *
   * @param nodes how many nodes there are
   * @param counts how many of them gave each reason
   */
  record NoHelp(int nodes, SortedMap<String, Integer> counts) implements PreemptionDecision {

    public NoHelp {
      counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }
  }
}
