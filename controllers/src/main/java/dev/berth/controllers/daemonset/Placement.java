package dev.berth.controllers.daemonset;

import dev.berth.policy.daemon.DaemonEligibility;
import dev.berth.policy.daemon.DaemonNode;
import dev.berth.policy.daemon.DaemonPod;
import dev.berth.policy.taint.TolerationRules;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides about the nodes of a DaemonSet where something has changed, and begins what is to be done
 * there; {@link DaemonNode} says what.
 */
final class Placement {
  /** After what was begun counts, there is nothing more to begin. */
  private static final int ROUNDS = 3;

  private final Loop loop;
  private final Time time;
  private final Map<String, KnownNode> nodes;
  private final TolerationRules rules;
  private final Consumer<Slot> touch;

  Placement(
      Loop loop,
      Time time,
      Map<String, KnownNode> nodes,
      TolerationRules rules,
      Consumer<Slot> touch) {
    this.loop = loop;
    this.time = time;
    this.nodes = nodes;
    this.rules = rules;
    this.touch = touch;
  }

  /** Decides about all nodes that are waiting for it, and then lets the rolling update go on. */
  void place(TrackedSet set, DaemonRequests requests) {
    Instant now = time.now();
    List<String> dirty = List.copyOf(set.dirty);
    set.dirty.clear();
    for (String node : dirty) {
      decide(set, node, requests, now);
    }
    roll(set, requests, now);
  }

  private void decide(TrackedSet set, String name, DaemonRequests requests, Instant now) {
    if (name.isEmpty()) {
      // A pod that somebody else made; it is decided about when it is on a node.
      return;
    }
    KnownNode node = nodes.get(name);
    Slot slot = set.slots.get(name);
    DaemonEligibility eligibility = eligibility(set, node);
    if (slot == null) {
      if (node == null || !eligibility.shouldContinueRunning()) {
        return;
      }
      slot = set.slot(name);
    }
    DaemonNode.State state = node == null ? DaemonNode.State.GONE : node.state();
    for (int round = 0; round < ROUNDS; round++) {
      DaemonNode.Verdict verdict =
          new DaemonNode(eligibility, state, slot.pods, slot.isComing(), slot.failures)
              .decide(set.rules, now);
      set.count(slot, verdict);
      if (verdict.again().isPresent()) {
        setAlarm(slot, Duration.between(now, verdict.again().get()));
      }
      Duration pause = Duration.between(time.monotonicNow(), slot.pausedUntil);
      if (pause.isPositive()) {
        set.outdated.remove(slot);
        setAlarm(slot, pause);
        return;
      }
      if (!verdict.create() && verdict.removals().isEmpty()) {
        break;
      }
      begin(slot, verdict, requests, now);
    }
    if (slot.isForgettable()) {
      set.slots.remove(name);
    }
  }

  private static void begin(
      Slot slot, DaemonNode.Verdict verdict, DaemonRequests requests, Instant now) {
    for (DaemonNode.Removal removal : verdict.removals()) {
      if (removal.reason() == DaemonNode.Reason.FAILED) {
        slot.failures = slot.failures.next(now);
      }
      requests.delete(slot, removal.pod(), removal.reason());
    }
    if (verdict.create()) {
      requests.create(slot);
    }
  }

  private DaemonEligibility eligibility(TrackedSet set, @Nullable KnownNode node) {
    return node == null
        ? new DaemonEligibility.NotSelected()
        : DaemonEligibility.of(set.template, node.view(), rules);
  }

  /** Whether a pod may still be made for a node. */
  boolean isWanted(Slot slot) {
    KnownNode node = nodes.get(slot.node);
    return slot.set.isActive()
        && node != null
        && node.state() != DaemonNode.State.SHUTTING_DOWN
        && eligibility(slot.set, node).shouldRun();
  }

  private void roll(TrackedSet set, DaemonRequests requests, Instant now) {
    int room = set.rules.strategy().room(set.totals);
    if (room == 0 || set.outdated.isEmpty()) {
      return;
    }
    List<Slot> chosen = new ArrayList<>();
    for (Slot slot : set.outdated) {
      if (chosen.size() == room) {
        break;
      }
      chosen.add(slot);
    }
    for (Slot slot : chosen) {
      Optional<DaemonPod> outdated = slot.outdated;
      if (set.rules.strategy().surges()) {
        requests.create(slot);
      } else {
        outdated.ifPresent(pod -> requests.delete(slot, pod, DaemonNode.Reason.OUTDATED));
      }
      decide(set, slot.node, requests, now);
    }
  }

  /** Has a node looked at again after a time, though nothing happens. */
  private void setAlarm(Slot slot, Duration delay) {
    if (slot.alarm != null && delay.compareTo(slot.alarm.remaining()) >= 0) {
      return;
    }
    if (slot.alarm != null) {
      slot.alarm.cancel();
    }
    slot.alarm =
        loop.after(
            delay,
            () -> {
              slot.alarm = null;
              touch.accept(slot);
            });
  }
}
