package dev.berth.policy.job;

import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Action;
import java.util.List;

/** What is to be done about the pods of a job. */
public sealed interface JobAction extends Action {

  /** Some are missing. */
  record Create(List<NewPod> pods) implements JobAction {
    public Create {
      pods = List.copyOf(pods);
    }

    @Override
    public String reason() {
      return "create " + pods.size() + " pods that are missing";
    }
  }

  /** Some are too many: they go, and are not counted. */
  record Remove(List<JsonObject> pods) implements JobAction {
    public Remove {
      pods = List.copyOf(pods);
    }

    @Override
    public String reason() {
      return "delete " + pods.size() + " pods that are too many";
    }
  }

  /** The job ends: all go, and are counted or not as the end of the job says. */
  record End(List<JsonObject> pods) implements JobAction {
    public End {
      pods = List.copyOf(pods);
    }

    @Override
    public String reason() {
      return "delete " + pods.size() + " pods, since the job ends";
    }
  }

  /** They are written down: their finalizers go. */
  record Untrack(List<JsonObject> pods) implements JobAction {
    public Untrack {
      pods = List.copyOf(pods);
    }

    @Override
    public String reason() {
      return "remove the finalizers of " + pods.size() + " pods that the status has";
    }
  }
}
