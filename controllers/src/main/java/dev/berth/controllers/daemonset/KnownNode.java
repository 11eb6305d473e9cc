package dev.berth.controllers.daemonset;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.NodeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.daemon.DaemonNode;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node, as far as daemon pods depend on it. */
record KnownNode(NodeView view, DaemonNode.State state) {
  private static final String SHUTDOWN = "node is shutting down";

  static KnownNode read(JsonObject node) {
    NodeView view = NodeView.read(node);
    return new KnownNode(view, state(view.condition(Condition.READY)));
  }

  /** An agent says so as the reason or in the message, which may have further sentences. */
  private static DaemonNode.State state(Optional<Condition> ready) {
    if (ready.isEmpty() || ready.get().status() == ConditionStatus.UNKNOWN) {
      return DaemonNode.State.NOT_READY;
    }
    if (ready.get().status() == ConditionStatus.TRUE) {
      return DaemonNode.State.READY;
    }
    boolean shutsDown =
        ready.get().reason().equals(SHUTDOWN) || ready.get().message().contains(SHUTDOWN);
    return shutsDown ? DaemonNode.State.SHUTTING_DOWN : DaemonNode.State.NOT_READY;
  }

  /** Whether every DaemonSet sees the same in both. Heartbeats change nothing that matters. */
  boolean isLike(@Nullable KnownNode other) {
    return other != null
        && state == other.state
        && view.uid().equals(other.view.uid())
        && view.labels().equals(other.view.labels())
        && view.taints().equals(other.view.taints());
  }
}
