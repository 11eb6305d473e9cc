package dev.berth.policy.stateful;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.reconcile.Action;
import dev.berth.policy.reconcile.Note;
import java.util.Optional;

/** Something to be done about one pod of a StatefulSet. */
public sealed interface PodAction extends Action {

  /**
   * A pod is to be created, and its claims before it.
   *
   * @param current whether of the current revision; otherwise of the latest
   */
  record Create(long ordinal, boolean current) implements PodAction {
    @Override
    public String reason() {
      return "create the pod of ordinal " + ordinal;
    }
  }

  /** A pod is to be deleted, after its claims have the owners that they should have. */
  record Delete(StatefulPod pod, Reason why) implements PodAction {
    @Override
    public String reason() {
      return "delete pod " + name(pod) + ": " + why;
    }

    /** What to tell of the set before that, if the pod is to be created anew since it ended. */
    public Optional<Note> note(ObjectName set) {
      String message = "StatefulSet %s is recreating %s Pod %s";
      return switch (why) {
        case FAILED ->
            Optional.of(
                Note.warning("RecreatingFailedPod", message.formatted(set, "failed", name(pod))));
        case SUCCEEDED ->
            Optional.of(
                Note.normal(
                    "RecreatingTerminatedPod", message.formatted(set, "terminated", name(pod))));
        case SCALED_DOWN, OUTDATED -> Optional.empty();
      };
    }
  }

  /** A pod is to have the labels that say who it is. */
  record Label(StatefulPod pod) implements PodAction {
    @Override
    public String reason() {
      return "label pod " + name(pod) + " with its name";
    }
  }

  /** A pod waits, perhaps for claims that are missing. */
  record CreateClaims(StatefulPod pod) implements PodAction {
    @Override
    public String reason() {
      return "create the claims of pod " + name(pod) + " that are missing";
    }
  }

  private static String name(StatefulPod pod) {
    return Metadata.of(pod.tree()).name();
  }

  /** Why a pod goes. */
  enum Reason {
    FAILED,
    SUCCEEDED,
    SCALED_DOWN,
    OUTDATED
  }
}
