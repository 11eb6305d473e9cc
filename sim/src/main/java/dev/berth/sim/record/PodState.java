package dev.berth.sim.record;

import dev.berth.model.core.PodPhase;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Conditions;

/** What a pod is doing. */
public enum PodState {
  /** It has no node. */
  PENDING(0, "pending"),
  /** It is on a node, and not ready yet. */
  STARTING(1, "starting"),
  READY(2, "ready"),
  /** It was ready and is not any more: most often its node is not heard of. */
  NOT_READY(3, "not ready"),
  /** It was deleted, and its node has not confirmed that it has ended. */
  TERMINATING(4, "terminating"),
  SUCCEEDED(5, "succeeded"),
  FAILED(6, "failed"),
  GONE(7, "gone");

  private final int code;
  private final String words;

  PodState(int code, String words) {
    this.code = code;
    this.words = words;
  }

  /** Its place among the names of a report. */
  public int code() {
    return code;
  }

  public String words() {
    return words;
  }

  /**
   * @param before what it did until now
   */
  static PodState of(PodTree pod, PodState before) {
    if (pod.terminating()) {
      return TERMINATING;
    }
    PodPhase phase = PodPhase.of(pod.tree().object("status").text("phase", ""));
    if (phase == PodPhase.SUCCEEDED) {
      return SUCCEEDED;
    }
    if (phase == PodPhase.FAILED) {
      return FAILED;
    }
    if (!pod.isBound()) {
      return PENDING;
    }
    if (Conditions.isTrue(pod.tree().object("status").array("conditions"), "Ready")) {
      return READY;
    }
    return before == READY || before == NOT_READY ? NOT_READY : STARTING;
  }
}
