package dev.berth.policy.job;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;

/** The conditions of jobs. */
public final class JobConditions {
  public static final String COMPLETE = "Complete";
  public static final String FAILED = "Failed";

  /** It will be complete once its pods are gone. */
  public static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";

  /** It will have failed once its pods are gone. */
  public static final String FAILURE_TARGET = "FailureTarget";

  public static final String SUSPENDED = "Suspended";

  private JobConditions() {}

  static JsonArray of(JsonObject job) {
    return job.object("status").array("conditions");
  }

  /** Whether a job is complete or has failed. */
  public static boolean isFinished(JsonObject job) {
    return finished(job).isPresent();
  }

  /** Whether it is said how a job will end. */
  static boolean isEnding(JsonObject job) {
    return Conditions.isTrue(of(job), SUCCESS_CRITERIA_MET)
        || Conditions.isTrue(of(job), FAILURE_TARGET);
  }

  private static Optional<JsonObject> finished(JsonObject job) {
    return whenTrue(of(job), COMPLETE).or(() -> whenTrue(of(job), FAILED));
  }

  static Optional<JsonObject> whenTrue(JsonArray conditions, String type) {
    return Conditions.find(conditions, type)
        .filter(condition -> condition.text("status", "").equals(Conditions.TRUE));
  }

  /** When a job has finished; empty if it has not, or does not say. */
  public static Optional<Instant> finishedAt(JsonObject job) {
    return finished(job).map(condition -> condition.text("lastTransitionTime")).map(Times::parse);
  }

  /** A condition that is so from now on; itself if it is so already. */
  static JsonArray set(
      JsonArray conditions, String type, boolean isSo, Optional<Why> why, Instant now) {
    String status = isSo ? Conditions.TRUE : Conditions.FALSE;
    if (Conditions.status(conditions, type).equals(status)) {
      return conditions;
    }
    JsonObject.Builder condition =
        new JsonObject.Builder()
            .put("type", type)
            .put("status", status)
            .put("lastProbeTime", Times.format(now));
    why.ifPresent(w -> condition.put("reason", w.reason()).put("message", w.message()));
    return Conditions.set(conditions, condition.build(), now);
  }

  /** A reason in a word, and in a sentence. */
  record Why(String reason, String message) {}
}
