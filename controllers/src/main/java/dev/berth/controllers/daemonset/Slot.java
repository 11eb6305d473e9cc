package dev.berth.controllers.daemonset;

import dev.berth.policy.daemon.DaemonCounts;
import dev.berth.policy.daemon.DaemonPod;
import dev.berth.policy.daemon.FailureBackoff;
import dev.berth.time.Loop;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node as one DaemonSet has it: its pods there, what is under way, and how it was counted. */
final class Slot {
  final TrackedSet set;
  final String node;

  /** As they were heard of, or as they will be once what was done here is heard of. */
  List<DaemonPod> pods = List.of();

  /** The name of a pod that is being made here, until it is heard of; empty if none is. */
  String coming = "";

  DaemonCounts counts = DaemonCounts.NONE;
  Optional<DaemonPod> outdated = Optional.empty();
  FailureBackoff failures = FailureBackoff.NONE;

  /** Nothing is begun here before, because what was begun last has failed. */
  Instant pausedUntil = Instant.MIN;

  int failedRequests;
  Loop.@Nullable Timer alarm;

  Slot(TrackedSet set, String node) {
    this.set = set;
    this.node = node;
  }

  /** Adds a pod, in place of what was known of it. */
  void put(DaemonPod pod) {
    List<DaemonPod> changed = without(pod.uid());
    changed.add(pod);
    pods = List.copyOf(changed);
  }

  void remove(String uid) {
    pods = List.copyOf(without(uid));
  }

  private List<DaemonPod> without(String uid) {
    List<DaemonPod> others = new ArrayList<>(pods.size() + 1);
    for (DaemonPod pod : pods) {
      if (!pod.uid().equals(uid)) {
        others.add(pod);
      }
    }
    return others;
  }

  /** What failed because of an older template does not hold a new one back. */
  void beginAnew() {
    failures = FailureBackoff.NONE;
    pausedUntil = Instant.MIN;
    failedRequests = 0;
  }

  boolean isComing() {
    return !coming.isEmpty();
  }

  boolean isForgettable() {
    return pods.isEmpty() && !isComing() && counts.equals(DaemonCounts.NONE) && alarm == null;
  }
}
