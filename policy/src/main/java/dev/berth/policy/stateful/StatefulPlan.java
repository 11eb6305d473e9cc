package dev.berth.policy.stateful;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done about a StatefulSet's pods now.
 *
 * @param again when to look again, though nothing has happened
 */
public record StatefulPlan(List<Action> actions, StatefulCounts counts, Optional<Instant> again) {

  /** One thing to do. They do not depend on each other. */
  public sealed interface Action {

    /**
     * A pod is to be made, and its claims before it.
     *
     * @param current whether of the current revision; otherwise of the latest
     */
    record Create(long ordinal, boolean current) implements Action {}

    /** A pod is to be deleted, after its claims have the owners that they should have. */
    record Delete(StatefulPod pod, Reason reason) implements Action {}

    /** A pod is to have the labels that say who it is. */
    record Label(StatefulPod pod) implements Action {}

    /** A pod waits, perhaps for claims that are missing. */
    record MakeClaims(StatefulPod pod) implements Action {}
  }

  /** Why a pod goes. */
  public enum Reason {
    FAILED,
    SUCCEEDED,
    SCALED_DOWN,
    OUTDATED
  }
}
