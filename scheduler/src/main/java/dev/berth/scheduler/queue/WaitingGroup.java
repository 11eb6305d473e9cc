package dev.berth.scheduler.queue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Unschedulable pods that are alike: what may help one may help all. */
final class WaitingGroup {
  private final WaitingPod.Likeness likeness;
  private final WaitingPod example;
  private final Set<String> nodes;
  private final Map<String, Entry> members = new LinkedHashMap<>();

  WaitingGroup(WaitingPod.Likeness likeness, WaitingPod example, Set<String> nodes) {
    this.likeness = likeness;
    this.example = example;
    this.nodes = nodes;
  }

  /** The only nodes on which anything that happens may help them; empty if it may be any. */
  Set<String> nodes() {
    return nodes;
  }

  WaitingPod.Likeness likeness() {
    return likeness;
  }

  /** Any of them, as hints see it. */
  WaitingPod example() {
    return example;
  }

  Map<String, Entry> members() {
    return members;
  }
}
