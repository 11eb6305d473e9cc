package dev.berth.scheduler.whatif;

import dev.berth.scheduler.preemption.PreemptionDecision;

/** What the scheduler would do with a pod. */
public sealed interface Verdict {

  /**
   * It would bind it to a node.
   *
   * @param feasible how many nodes would do
   */
  record Placed(String node, int feasible) implements Verdict {}

  /**
   * It would leave it pending, or preempt others for it first.
   *
   * @param message what it would write into the condition PodScheduled
   */
  record Unschedulable(String message, PreemptionDecision preemption) implements Verdict {}

  /** It would not try to place it. */
  record NotTried(Why why) implements Verdict {}

  /** Why a pod is not tried. */
  enum Why {
    /** It has scheduling gates. */
    GATED,
    /** Its scheduler is another one. */
    OTHER_SCHEDULER,
    /** It is being deleted. */
    TERMINATING,
    /** A plugin waits for something that no node can make up for, such as a claim's controller. */
    HELD
  }
}
