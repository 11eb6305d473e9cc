package dev.berth.scheduler.queue;

import java.util.LinkedHashMap;
import java.util.Map;

/** Unschedulable pods that are alike: what may help one may help all. */
final class WaitingGroup {
  private final WaitingPod.Likeness likeness;
  private final WaitingPod example;
  private final Map<String, Entry> members = new LinkedHashMap<>();

  WaitingGroup(WaitingPod.Likeness likeness, WaitingPod example) {
    this.likeness = likeness;
    this.example = example;
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
