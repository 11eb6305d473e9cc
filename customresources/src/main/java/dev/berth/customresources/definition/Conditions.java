package dev.berth.customresources.definition;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The conditions in a definition's status. */
public final class Conditions {
  private static final String FIELD = "conditions";

  private Conditions() {}

  /** What a condition says. */
  public record Condition(String type, String status, String reason, String message) {}

  public static Optional<JsonObject> find(JsonObject status, String type) {
    return status.array(FIELD).objects().stream()
        .filter(condition -> condition.text("type", "").equals(type))
        .findFirst();
  }

  /** A status with a condition; its time changes only with what it says. */
  public static JsonObject with(JsonObject status, Condition wanted, Instant now) {
    List<JsonObject> all = status.array(FIELD).objects();
    for (int i = 0; i < all.size(); i++) {
      JsonObject known = all.get(i);
      if (known.text("type", "").equals(wanted.type)) {
        boolean same =
            known.text("status", "").equals(wanted.status)
                && known.text("reason", "").equals(wanted.reason);
        String time =
            same ? known.text("lastTransitionTime", Times.format(now)) : Times.format(now);
        return status.with(FIELD, status.array(FIELD).with(i, tree(wanted, time)));
      }
    }
    return status.with(FIELD, status.array(FIELD).append(tree(wanted, Times.format(now))));
  }

  /** Whether a status has a condition that says the same. */
  public static boolean says(JsonObject status, Condition wanted) {
    return find(status, wanted.type)
        .filter(known ->
            known.text("status", "").equals(wanted.status)
                && known.text("reason", "").equals(wanted.reason)
                && known.text("message", "").equals(wanted.message))
        .isPresent();
  }

  private static JsonObject tree(Condition condition, String time) {
    return new JsonObject.Builder()
        .put("type", condition.type)
        .put("status", condition.status)
        .put("lastTransitionTime", time)
        .put("reason", condition.reason)
        .put("message", condition.message)
        .build();
  }
}
