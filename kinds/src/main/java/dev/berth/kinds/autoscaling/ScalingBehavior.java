package dev.berth.kinds.autoscaling;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** How fast an autoscaler goes up and down. */
final class ScalingBehavior {
  private static final long LONGEST_WINDOW = 3600;
  private static final long LONGEST_PERIOD = 1800;
  private static final long DEFAULT_PERIOD = 15;
  private static final List<String> SELECTIONS = List.of("Disabled", "Max", "Min");
  private static final List<String> POLICIES = List.of("Percent", "Pods");
  private static final JsonObject UP =
      JsonObject.of("stabilizationWindowSeconds", 0L)
          .with("selectPolicy", "Max")
          .with("policies", JsonArray.of(policy("Pods", 4), policy("Percent", 100)));
  private static final JsonObject DOWN =
      JsonObject.of("selectPolicy", "Max").with("policies", JsonArray.of(policy("Percent", 100)));

  private ScalingBehavior() {}

  private static JsonObject policy(String type, long value) {
    return JsonObject.of("type", type).with("value", value).with("periodSeconds", DEFAULT_PERIOD);
  }

  static JsonObject defaults(JsonObject behavior) {
    return behavior
        .with("scaleUp", behavior.object("scaleUp").withMissing(UP))
        .with("scaleDown", behavior.object("scaleDown").withMissing(DOWN));
  }

  static void validate(JsonObject behavior, FieldPath at, FieldErrorList problems) {
    for (String direction : List.of("scaleUp", "scaleDown")) {
      if (behavior.has(direction)) {
        rules(behavior.object(direction), at.field(direction), problems);
      }
    }
  }

  private static void rules(JsonObject rules, FieldPath at, FieldErrorList problems) {
    FieldPath windowAt = at.field("stabilizationWindowSeconds");
    long window = rules.integer("stabilizationWindowSeconds").orElse(0);
    if (window < 0) {
      problems.invalid(windowAt, window, "must be greater than or equal to zero");
    }
    if (window > LONGEST_WINDOW) {
      problems.invalid(windowAt, window, "must be less than or equal to " + LONGEST_WINDOW);
    }
    String selection = rules.text("selectPolicy");
    if (selection != null) {
      problems.oneOf(at.field("selectPolicy"), selection, SELECTIONS);
    }
    List<JsonObject> policies = rules.array("policies").objects();
    if (policies.isEmpty()) {
      problems.required(at.field("policies"), "must specify at least one Policy");
    }
    for (int i = 0; i < policies.size(); i++) {
      policy(policies.get(i), at.field("policies").index(i), problems);
    }
    Object tolerance = rules.get("tolerance");
    if (tolerance != null && Quantity.fromTree(tolerance).signum() < 0) {
      problems.invalid(at.field("tolerance"), tolerance, "must be greater than or equal to 0");
    }
  }

  private static void policy(JsonObject policy, FieldPath at, FieldErrorList problems) {
    problems.oneOf(at.field("type"), policy.text("type", ""), POLICIES);
    long value = policy.integer("value").orElse(0);
    if (value <= 0) {
      problems.invalid(at.field("value"), value, "must be greater than zero");
    }
    long period = policy.integer("periodSeconds").orElse(0);
    if (period <= 0) {
      problems.invalid(at.field("periodSeconds"), period, "must be greater than zero");
    }
    if (period > LONGEST_PERIOD) {
      problems.invalid(
          at.field("periodSeconds"), period, "must be less than or equal to " + LONGEST_PERIOD);
    }
  }
}
