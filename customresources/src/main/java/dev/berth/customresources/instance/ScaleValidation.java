package dev.berth.customresources.instance;

import dev.berth.kinds.resource.CustomKind.ScalePaths;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The fields that the scale of an object is read from hold what a scale can hold. */
final class ScaleValidation {
  private ScaleValidation() {}

  static List<FieldError> spec(JsonObject object, Optional<ScalePaths> scale) {
    return scale.map(paths -> replicas(object, paths.specReplicas())).orElse(List.of());
  }

  static List<FieldError> status(JsonObject object, Optional<ScalePaths> scale) {
    if (scale.isEmpty()) {
      return List.of();
    }
    List<FieldError> errors = new ArrayList<>(replicas(object, scale.get().statusReplicas()));
    String selector = scale.get().selector();
    if (!selector.isEmpty()) {
      Optional<String> blocked = blocked(object, selector);
      blocked.ifPresent(why -> errors.add(FieldError.invalid("." + selector, "", why)));
      Object value = blocked.isPresent() ? null : FieldPath.parse(selector).get(object);
      if (value != null && !(value instanceof String)) {
        errors.add(FieldError.invalid("." + selector, "", accessor(selector, value, "string")));
      }
    }
    return errors;
  }

  private static List<FieldError> replicas(JsonObject object, String path) {
    String field = "." + path;
    Optional<String> blocked = blocked(object, path);
    if (blocked.isPresent()) {
      return List.of(FieldError.invalid(field, 0L, blocked.get()));
    }
    Object value = FieldPath.parse(path).get(object);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof Long replicas)) {
      return List.of(FieldError.invalid(field, 0L, accessor(path, value, "int64")));
    }
    if (replicas < 0) {
      return List.of(FieldError.invalid(field, replicas, "should be a non-negative integer"));
    }
    return replicas > Integer.MAX_VALUE
        ? List.of(
            FieldError.invalid(
                field, replicas, "should be less than or equal to " + Integer.MAX_VALUE))
        : List.of();
  }

  /** Why nothing can be found at a path, as something on the way to it has no fields. */
  private static Optional<String> blocked(JsonObject object, String path) {
    String[] fields = path.split("\\.", -1);
    Object value = object;
    for (int i = 0; i < fields.length; i++) {
      if (!(value instanceof JsonObject map)) {
        String at = String.join(".", List.of(fields).subList(0, i + 1));
        return Optional.of(accessor(at, value, "map[string]interface{}"));
      }
      value = map.get(fields[i]);
      if (value == null || value instanceof JsonNull) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  private static String accessor(String path, Object value, String expected) {
    String type =
        switch (value) {
          case JsonNull _ -> "<nil>";
          case JsonObject _ -> "map[string]interface {}";
          case JsonArray _ -> "[]interface {}";
          case String _ -> "string";
          case Boolean _ -> "bool";
          case Long _ -> "int64";
          default -> "float64";
        };
    String shown = value instanceof String text ? text : JsonWriter.toText(value);
    return ".%s accessor error: %s is of the type %s, expected %s"
        .formatted(path, shown, type, expected);
  }
}
