package dev.berth.policy.cloud;

import dev.berth.model.tree.JsonArray;
import dev.berth.policy.reconcile.Action;

/** Something to be done about a node because of what became of its machine. */
public sealed interface CloudLifecycleAction extends Action {

  /** The node is deleted. */
  record Delete() implements CloudLifecycleAction {
    @Override
    public String reason() {
      return "delete, because the cloud has no such machine";
    }
  }

  /**
   * The node gets or loses the taint {@code shutdown}.
   *
   * @param taints those that it has then
   */
  record SetTaints(JsonArray taints, boolean isStopped) implements CloudLifecycleAction {
    @Override
    public String reason() {
      return isStopped
          ? "taint shutdown, because the machine is stopped"
          : "remove the taint shutdown, because the node is ready";
    }
  }
}
