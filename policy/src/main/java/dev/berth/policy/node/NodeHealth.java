package dev.berth.policy.node;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.NodeView;
import dev.berth.policy.taint.TaintChange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one health check of one node. What counts as a sign of life says {@link
 * NodeObservation}.
 *
 * <ol>
 *   <li>A node that was silent for the grace period, the longer one if it has never posted a
 *       status, is lost: its conditions become Unknown, but for NetworkUnavailable, which is not
 *       the node's to report.
 *   <li>The pods of a node whose Ready condition is Unknown are marked not ready, once.
 *   <li>Taints follow the conditions; see {@link NodeTaints}.
 * </ol>
 *
 * <p>{@code observation} takes the place of the last one when all actions are done. If one fails,
 * the last one is kept, and the next check asks for the same again.
 */
public record NodeHealth(NodeObservation observation, List<NodeAction> actions) {
  private static final List<String> REPORTED_BY_NODE =
      List.of(
          Condition.READY,
          Condition.MEMORY_PRESSURE,
          Condition.DISK_PRESSURE,
          Condition.PID_PRESSURE);

  public NodeHealth {
    actions = List.copyOf(actions);
  }

  /**
   * Decides one check.
   *
   * @param leaseRenewed the renew time of the node's lease; null if it has none
   * @param last what the check before this one observed; null if there was none
   */
  public static NodeHealth check(
      NodeView node,
      @Nullable Instant leaseRenewed,
      @Nullable NodeObservation last,
      HealthSettings settings,
      Instant now) {
    NodeObservation seen = NodeObservation.of(node, leaseRenewed, last, now);
    boolean hasReady = node.condition(Condition.READY).isPresent();
    Duration grace = hasReady ? settings.gracePeriod() : settings.startupGracePeriod();
    // Lost once the whole period has passed; upstream asks for a moment more than that.
    List<Condition> lost =
        now.isBefore(seen.heard().plus(grace)) ? List.of() : unknownConditions(node, now);
    NodeView after = replaceConditions(node, lost);

    List<NodeAction> actions = new ArrayList<>();
    if (!lost.isEmpty()) {
      actions.add(new NodeAction.MarkUnknown(lost));
    }
    Optional<Condition> ready = after.condition(Condition.READY);
    boolean unreachable = ready.map(Condition::status).equals(Optional.of(ConditionStatus.UNKNOWN));
    if (unreachable && !seen.podsMarked()) {
      actions.add(new NodeAction.MarkPodsNotReady());
    }
    addTaints(actions, after, settings);
    Instant heartbeat = ready.map(Condition::lastHeartbeatTime).orElse(null);
    return new NodeHealth(seen.afterWriting(heartbeat, unreachable), actions);
  }

  /** The conditions of a lost node that do not say so yet. */
  private static List<Condition> unknownConditions(NodeView node, Instant now) {
    List<Condition> unknown = new ArrayList<>();
    for (String type : REPORTED_BY_NODE) {
      Optional<Condition> present = node.condition(type);
      if (present.isEmpty()) {
        unknown.add(
            new Condition(
                type,
                ConditionStatus.UNKNOWN,
                "NodeStatusNeverUpdated",
                "Kubelet never posted node status.",
                node.creationTimestamp(),
                now));
      } else if (present.get().status() != ConditionStatus.UNKNOWN) {
        unknown.add(
            new Condition(
                type,
                ConditionStatus.UNKNOWN,
                "NodeStatusUnknown",
                "Kubelet stopped posting node status.",
                present.get().lastHeartbeatTime(),
                now));
      }
    }
    return unknown;
  }

  private static void addTaints(List<NodeAction> actions, NodeView node, HealthSettings settings) {
    TaintChange noSchedule =
        settings.taintNodesByCondition() ? NodeTaints.noSchedule(node) : TaintChange.NONE;
    if (!noSchedule.isEmpty()) {
      actions.add(new NodeAction.ChangeTaints(noSchedule));
    }
    if (settings.taintBasedEvictions()) {
      switch (NodeTaints.noExecute(node)) {
        case NodeTaints.NoExecute.Unchanged _ -> {}
        case NodeTaints.NoExecute.Now(TaintChange change) ->
            actions.add(new NodeAction.ChangeTaints(change));
        case NodeTaints.NoExecute.AtEvictionRate(var taint) ->
            actions.add(new NodeAction.AwaitEvictionRate(taint));
      }
    }
  }

  private static NodeView replaceConditions(NodeView node, List<Condition> replacements) {
    List<Condition> conditions = new ArrayList<>(node.conditions());
    for (Condition replacement : replacements) {
      conditions.removeIf(c -> c.type().equals(replacement.type()));
      conditions.add(replacement);
    }
    return node.withConditions(conditions);
  }
}
