package dev.berth.kinds.apps;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;

/** How many pods a rolling update may add or take away at once: a number, or a percentage. */
final class RollingSteps {
  private static final String BAD_PERCENT =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
          + " '93%', regex used for validation is '[0-9]+%')";

  private RollingSteps() {}

  private static Object step(JsonObject rolling, String field) {
    Object step = rolling.get(field);
    return step instanceof String || step instanceof Long ? step : 0L;
  }

  /** A step is not negative. */
  static void notNegative(JsonObject rolling, String field, FieldPath at, FieldErrorList problems) {
    switch (step(rolling, field)) {
      case String text when !text.matches("[0-9]+%") ->
          problems.invalid(at.field(field), text, BAD_PERCENT);
      case Long number when number < 0 ->
          problems.invalid(at.field(field), number, "must be greater than or equal to 0");
      default -> {}
    }
  }

  static void atMostAll(JsonObject rolling, String field, FieldPath at, FieldErrorList problems) {
    if (step(rolling, field) instanceof String text
        && text.matches("[0-9]+%")
        && !text.matches("0*([0-9]{1,2}|100)%")) {
      problems.invalid(at.field(field), text, "must not be greater than 100%");
    }
  }

  /** Whether a step is none; a text that is no percentage counts as the number that it is. */
  static boolean isZero(JsonObject rolling, String field) {
    return switch (step(rolling, field)) {
      case String text -> !text.matches("[-+]?0*[1-9][0-9]*%?") || text.matches("[-+].*%");
      case Long number -> number == 0;
      default -> true;
    };
  }

  static Object shown(JsonObject rolling, String field) {
    return step(rolling, field);
  }
}
