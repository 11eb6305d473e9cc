package dev.berth.kinds.autoscaling;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * How an autoscaler's behavior stands in an annotation of its older form: with the names that its
 * fields have in Go, of which readers take any spelling.
 */
final class BehaviorForms {
  private static final List<String> DIRECTIONS = List.of("scaleUp", "scaleDown");
  private static final List<String> RULES =
      List.of("stabilizationWindowSeconds", "selectPolicy", "policies", "tolerance");
  private static final List<String> POLICY = List.of("type", "value", "periodSeconds");

  private BehaviorForms() {}

  static JsonObject older(JsonObject behavior) {
    JsonObject.Builder all = new JsonObject.Builder();
    for (String direction : DIRECTIONS) {
      Object shown =
          behavior.has(direction) ? capitalized(behavior.object(direction), RULES) : JsonNull.NULL;
      all.put(capitalized(direction), shown);
    }
    return all.build();
  }

  private static JsonObject capitalized(JsonObject object, List<String> fields) {
    JsonObject.Builder all = new JsonObject.Builder();
    for (String field : fields) {
      Object value = object.get(field);
      if (value instanceof JsonArray array) {
        value = array.mapObjects(policy -> capitalized(policy, POLICY));
      }
      all.put(capitalized(field), value == null ? JsonNull.NULL : value);
    }
    return all.build();
  }

  private static String capitalized(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  static JsonObject newer(JsonObject behavior) {
    JsonObject named = named(behavior, DIRECTIONS);
    for (String direction : DIRECTIONS) {
      if (named.get(direction) instanceof JsonObject rules) {
        JsonObject all = named(rules, RULES);
        if (all.get("policies") instanceof JsonArray policies) {
          all = all.with("policies", policies.mapObjects(policy -> named(policy, POLICY)));
        }
        named = named.with(direction, all);
      }
    }
    return named;
  }

  private static JsonObject named(JsonObject object, List<String> fields) {
    JsonObject.Builder all = new JsonObject.Builder();
    for (String field : fields) {
      for (String name : object.names()) {
        if (name.equalsIgnoreCase(field) && !(object.get(name) instanceof JsonNull)) {
          all.putIfPresent(field, object.get(name));
        }
      }
    }
    return all.build();
  }
}
