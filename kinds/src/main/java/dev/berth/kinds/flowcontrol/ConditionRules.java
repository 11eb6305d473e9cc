package dev.berth.kinds.flowcontrol;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The conditions of both kinds: each of a type of its own. */
final class ConditionRules {
  private static final FieldPath CONDITIONS = FieldPath.of("status", "conditions");

  private ConditionRules() {}

  static List<FieldError> validate(JsonObject object) {
    List<FieldError> errors = new ArrayList<>();
    Set<String> types = new HashSet<>();
    List<JsonObject> conditions = object.object("status").array("conditions").objects();
    for (int i = 0; i < conditions.size(); i++) {
      String type = conditions.get(i).text("type", "");
      String path = CONDITIONS.index(i).field("type").toString();
      if (!types.add(type)) {
        errors.add(FieldError.duplicate(path, type));
      }
      if (type.isEmpty()) {
        errors.add(FieldError.required(path, ""));
      }
    }
    return errors;
  }
}
