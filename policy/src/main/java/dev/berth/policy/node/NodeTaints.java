package dev.berth.policy.node;

import dev.berth.model.core.Condition;
import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.NodeView;
import dev.berth.model.core.Taint;
import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.policy.taint.TaintChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The taints that a node's problems amount to. They come with their cause and go with it.
 *
 * <ul>
 *   <li>Ready is False: {@code not-ready}. Ready is Unknown: {@code unreachable}. Never both.
 *   <li>MemoryPressure, DiskPressure, PIDPressure, NetworkUnavailable are True: the taint of that
 *       name. Cordoned: {@code unschedulable}. These only ever with NoSchedule.
 *   <li>A node that has no Ready condition yet is {@code not-ready}. Upstream puts that taint on a
 *       new node, but its controller takes it off again before the node was ever ready.
 * </ul>
 *
 * <p>NoSchedule taints follow at once. NoExecute taints empty the node, so a first one waits for
 * the zone's eviction rate (see {@link ZoneRates}); exchanging one for the other, and removing
 * them, does not.
 */
public final class NodeTaints {
  /** What every new node is created with. */
  public static final Taint NEW_NODE = Taint.of(WellKnownTaints.NOT_READY, TaintEffect.NO_SCHEDULE);

  private static final Taint NOT_READY =
      Taint.of(WellKnownTaints.NOT_READY, TaintEffect.NO_EXECUTE);
  private static final Taint UNREACHABLE =
      Taint.of(WellKnownTaints.UNREACHABLE, TaintEffect.NO_EXECUTE);

  private static final Map<String, String> KEY_WHEN_TRUE =
      Map.of(
          Condition.MEMORY_PRESSURE, WellKnownTaints.MEMORY_PRESSURE,
          Condition.DISK_PRESSURE, WellKnownTaints.DISK_PRESSURE,
          Condition.PID_PRESSURE, WellKnownTaints.PID_PRESSURE,
          Condition.NETWORK_UNAVAILABLE, WellKnownTaints.NETWORK_UNAVAILABLE);

  /** Taints of other keys are other people's, and stay. */
  private static final Set<String> NO_SCHEDULE_KEYS =
      Set.of(
          WellKnownTaints.NOT_READY,
          WellKnownTaints.UNREACHABLE,
          WellKnownTaints.MEMORY_PRESSURE,
          WellKnownTaints.DISK_PRESSURE,
          WellKnownTaints.PID_PRESSURE,
          WellKnownTaints.NETWORK_UNAVAILABLE,
          WellKnownTaints.UNSCHEDULABLE);

  private NodeTaints() {}

  /** Whether a taint empties its node because of the node's problems. */
  static boolean isEvicting(Taint taint) {
    return taint.sameKeyAndEffect(NOT_READY) || taint.sameKeyAndEffect(UNREACHABLE);
  }

  /** What becomes of a node's NoExecute taints. */
  public sealed interface NoExecute {
    /** They are right. */
    record Unchanged() implements NoExecute {}

    /** They are changed at once. */
    record Now(TaintChange change) implements NoExecute {}

    /** A taint is added when the eviction rate of the node's zone permits. */
    record AtEvictionRate(Taint taint) implements NoExecute {}
  }

  /** The change that makes the NoSchedule taints right; empty if they are. */
  public static TaintChange noSchedule(NodeView node) {
    List<Taint> wanted = problems(node);
    List<Taint> add = wanted.stream().filter(t -> !node.hasTaint(t)).toList();
    List<Taint> remove =
        node.taints().stream()
            .filter(t -> t.effect() == TaintEffect.NO_SCHEDULE)
            .filter(t -> NO_SCHEDULE_KEYS.contains(t.key()))
            .filter(t -> wanted.stream().noneMatch(t::sameKeyAndEffect))
            .toList();
    return new TaintChange(add, remove);
  }

  /** What keeps pods away from a node, as taints; whether it has them or not. */
  public static List<Taint> problems(NodeView node) {
    List<Taint> wanted = new ArrayList<>();
    readyKey(node).ifPresent(key -> wanted.add(Taint.of(key, TaintEffect.NO_SCHEDULE)));
    for (Condition condition : node.conditions()) {
      String key = KEY_WHEN_TRUE.get(condition.type());
      if (key != null && condition.status() == ConditionStatus.TRUE) {
        wanted.add(Taint.of(key, TaintEffect.NO_SCHEDULE));
      }
    }
    if (node.unschedulable()) {
      wanted.add(Taint.of(WellKnownTaints.UNSCHEDULABLE, TaintEffect.NO_SCHEDULE));
    }
    return wanted;
  }

  private static Optional<String> readyKey(NodeView node) {
    return switch (readyStatus(node).orElse(ConditionStatus.FALSE)) {
      case TRUE -> Optional.empty();
      case FALSE -> Optional.of(WellKnownTaints.NOT_READY);
      case UNKNOWN -> Optional.of(WellKnownTaints.UNREACHABLE);
    };
  }

  /**
   * What becomes of the NoExecute taints. A node that has no Ready condition yet has no pods to
   * lose, and is left alone.
   */
  public static NoExecute noExecute(NodeView node) {
    Optional<ConditionStatus> ready = readyStatus(node);
    if (ready.isEmpty()) {
      return new NoExecute.Unchanged();
    }
    return switch (ready.get()) {
      case TRUE -> now(withoutNoExecute(node));
      case FALSE -> exchange(node, NOT_READY, UNREACHABLE);
      case UNKNOWN -> exchange(node, UNREACHABLE, NOT_READY);
    };
  }

  /** The change that stops evictions from a node, whatever its condition. */
  public static TaintChange withoutNoExecute(NodeView node) {
    return new TaintChange(
        List.of(), List.of(NOT_READY, UNREACHABLE).stream().filter(node::hasTaint).toList());
  }

  private static NoExecute exchange(NodeView node, Taint wanted, Taint opposite) {
    if (node.hasTaint(opposite)) {
      return now(
          new TaintChange(node.hasTaint(wanted) ? List.of() : List.of(wanted), List.of(opposite)));
    }
    return node.hasTaint(wanted) ? new NoExecute.Unchanged() : new NoExecute.AtEvictionRate(wanted);
  }

  private static NoExecute now(TaintChange change) {
    return change.isEmpty() ? new NoExecute.Unchanged() : new NoExecute.Now(change);
  }

  private static Optional<ConditionStatus> readyStatus(NodeView node) {
    return node.condition(Condition.READY).map(Condition::status);
  }
}
