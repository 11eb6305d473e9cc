package dev.berth.policy.job;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is to be done about the pods of a job. */
public sealed interface PodAction {

  /** Nothing. */
  record None() implements PodAction {}

  /** Some are missing. */
  record Create(List<NewPod> pods) implements PodAction {
    public Create {
      pods = List.copyOf(pods);
    }
  }

  /** Some are too many: they go, and are not counted. */
  record Remove(List<JsonObject> pods) implements PodAction {
    public Remove {
      pods = List.copyOf(pods);
    }
  }

  /** The job ends: all go, and are counted or not as the end of the job says. */
  record End(List<JsonObject> pods) implements PodAction {
    public End {
      pods = List.copyOf(pods);
    }
  }
}
