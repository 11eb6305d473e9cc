package dev.berth.policy.node;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.NodeView;
import dev.berth.policy.taint.CountdownStart;
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
 *       the node's to report. Everything else follows from its conditions once they are written.
 *   <li>The pods of a node whose Ready condition is False or Unknown are marked not ready, once for
 *       each of the two. Upstream does so for Unknown alone; but a node that says that it is not
 *       ready is not to be sent work either.
 *   <li>Taints follow the conditions; see {@link NodeTaints}. While every zone is down, there are
 *       no NoExecute taints for node problems.
 *   <li>If problems do not become such taints, the pods of a node that was not ready for the
 *       eviction timeout are evicted, though not while every zone is down.
 * </ol>
 *
 * @param observation takes the place of the last one
 * @param checkAgain when the passing of time alone may change the outcome; {@link Instant#MAX} if
 *     it never does
 */
public record NodeHealth(
    NodeObservation observation, List<NodeAction> actions, Instant checkAgain) {
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
   * @param seen what is observed of the node, as it is now
   * @param allDown whether every zone is down
   * @param now on the clock that observations are made on
   * @param wallNow on the clock whose times are written into nodes
   */
  public static NodeHealth check(
      NodeView node,
      NodeObservation seen,
      HealthSettings settings,
      boolean allDown,
      Instant now,
      Instant wallNow) {
    Optional<Condition> ready = node.condition(Condition.READY);
    Instant silentUntil = seen.heard().plus(graceOf(ready.isPresent(), settings));
    // Lost once the whole period has passed; upstream asks for a moment more than that.
    boolean silent = !now.isBefore(silentUntil);
    List<Condition> lost = silent ? unknownConditions(node, wallNow) : List.of();
    if (!lost.isEmpty()) {
      Instant heartbeat =
          Condition.find(lost, Condition.READY).map(Condition::lastHeartbeatTime).orElse(null);
      return new NodeHealth(
          seen.written(heartbeat), List.of(new NodeAction.MarkUnknown(lost)), Instant.MAX);
    }
    List<NodeAction> actions = new ArrayList<>();
    ConditionStatus notReady =
        ready.map(Condition::status).filter(s -> s != ConditionStatus.TRUE).orElse(null);
    if (notReady != null && notReady != seen.podsMarked()) {
      actions.add(new NodeAction.MarkPodsNotReady());
    }
    if (settings.taintNodesByCondition()) {
      addChange(actions, NodeTaints.noSchedule(node));
    }
    Instant checkAgain = silent ? Instant.MAX : silentUntil;
    checkAgain = soonerOf(checkAgain, seen.evictableFrom(), now);
    if (settings.taintBasedEvictions()) {
      addNoExecute(actions, node, seen, allDown, now);
    } else if (notReady != null) {
      Instant evicted =
          CountdownStart.monotonic(ready.get().lastTransitionTime(), now, wallNow)
              .plus(settings.podEvictionTimeout());
      if (!allDown && !now.isBefore(evicted) && seen.mayBeEvicted(now)) {
        actions.add(new NodeAction.AwaitPodEviction());
      }
      checkAgain = soonerOf(checkAgain, evicted, now);
    }
    return new NodeHealth(seen.podsMarked(notReady), actions, checkAgain);
  }

  private static Instant soonerOf(Instant checkAgain, @Nullable Instant other, Instant now) {
    return other != null && now.isBefore(other) && other.isBefore(checkAgain) ? other : checkAgain;
  }

  /**
   * How long a node may be silent.
   *
   * @param posted whether it has a Ready condition
   */
  public static Duration graceOf(boolean posted, HealthSettings settings) {
    return posted ? settings.gracePeriod() : settings.startupGracePeriod();
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

  private static void addNoExecute(
      List<NodeAction> actions, NodeView node, NodeObservation seen, boolean allDown, Instant now) {
    if (allDown) {
      addChange(actions, NodeTaints.withoutNoExecute(node));
      return;
    }
    switch (NodeTaints.noExecute(node)) {
      case NodeTaints.NoExecute.Unchanged _ -> {}
      case NodeTaints.NoExecute.Now(TaintChange change) -> addChange(actions, change);
      case NodeTaints.NoExecute.AtEvictionRate(var taint) -> {
        if (seen.mayBeEvicted(now)) {
          actions.add(new NodeAction.AwaitEvictionRate(taint));
        }
      }
    }
  }

  private static void addChange(List<NodeAction> actions, TaintChange change) {
    if (!change.isEmpty()) {
      actions.add(new NodeAction.ChangeTaints(change));
    }
  }
}
