package dev.berth.model.meta;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.Optional;

/**
 * Conditions of a status: a list in which each type occurs once. {@code lastTransitionTime} is when
 * the condition's {@code status} changed last; news of its reason or message leaves it as it is.
 */
public final class Conditions {
  public static final String TRUE = "True";
  public static final String FALSE = "False";
  public static final String UNKNOWN = "Unknown";

  private static final String TRANSITION = "lastTransitionTime";

  private Conditions() {}

  /** A condition without times, to be {@linkplain #set set}. */
  public static JsonObject condition(String type, String status, String reason, String message) {
    return new JsonObject.Builder()
        .put("type", type)
        .put("status", status)
        .put("reason", reason)
        .put("message", message)
        .build();
  }

  public static Optional<JsonObject> find(JsonArray conditions, String type) {
    int index = indexOf(conditions, type);
    return index < 0 ? Optional.empty() : Optional.of(conditions.objects().get(index));
  }

  /** The status of a condition; {@code Unknown} for one that is not there. */
  public static String status(JsonArray conditions, String type) {
    return find(conditions, type).map(c -> c.text("status", UNKNOWN)).orElse(UNKNOWN);
  }

  public static boolean isTrue(JsonArray conditions, String type) {
    return status(conditions, type).equals(TRUE);
  }

  /**
   * The conditions with one set, at its place or at the end; themselves if nothing changes. Fields
   * that the new condition does not name keep their values.
   */
  public static JsonArray set(JsonArray conditions, JsonObject condition, Instant now) {
    int index = indexOf(conditions, condition.text("type", ""));
    if (index < 0) {
      return conditions.append(condition.with(TRANSITION, Times.format(now)));
    }
    JsonObject before = conditions.objects().get(index);
    JsonObject after = before;
    for (int i = 0; i < condition.size(); i++) {
      if (!condition.name(i).equals(TRANSITION)) {
        after = after.with(condition.name(i), condition.value(i));
      }
    }
    boolean moved = !before.text("status", "").equals(after.text("status", ""));
    return conditions.with(index, moved ? after.with(TRANSITION, Times.format(now)) : after);
  }

  /** The condition, saying which generation of its object was seen; 0 if they are not counted. */
  public static JsonObject observed(JsonObject condition, long generation) {
    return generation > 0 ? condition.with("observedGeneration", generation) : condition;
  }

  public static JsonArray remove(JsonArray conditions, String type) {
    int index = indexOf(conditions, type);
    return index < 0 ? conditions : conditions.without(index);
  }

  private static int indexOf(JsonArray conditions, String type) {
    for (int i = 0; i < conditions.size(); i++) {
      if (conditions.get(i) instanceof JsonObject condition
          && type.equals(condition.text("type"))) {
        return i;
      }
    }
    return -1;
  }
}
