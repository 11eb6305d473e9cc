package dev.berth.policy.job;

import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;

/** How the conditions of jobs are set. */
final class JobConditions {
  private JobConditions() {}

  /** A condition that is so from now on; itself if it is so already. */
  static JsonArray set(JsonArray conditions, String type, boolean isSo, Why why, Instant now) {
    String status = isSo ? Conditions.TRUE : Conditions.FALSE;
    if (Conditions.status(conditions, type).equals(status)) {
      return conditions;
    }
    JsonObject condition =
        Conditions.condition(type, status, why.reason(), why.message())
            .with("lastProbeTime", Times.format(now));
    return Conditions.set(conditions, condition, now);
  }

  /** A reason in a word, and in a sentence. */
  record Why(String reason, String message) {}
}
