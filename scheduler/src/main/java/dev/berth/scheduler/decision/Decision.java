package dev.berth.scheduler.decision;

/** What was decided about a pod. */
public sealed interface Decision {

  /**
   * It goes to a node.
   *
   * @param feasible how many nodes were allowed
   * @param score the node's
   */
  record Placed(int node, int feasible, long score) implements Decision {}

  /** No node is allowed. */
  record Unschedulable(Diagnosis diagnosis) implements Decision {}
}
