package dev.berth.customresources.definition;

import dev.berth.customresources.rules.SchemaPath;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The paths into objects that a definition names: of columns, of the scale, to select by. */
final class ColumnValidation {
  private static final List<String> TYPES =
      List.of("boolean", "date", "integer", "number", "string");
  private static final List<String> FORMATS =
      List.of("byte", "date", "date-time", "double", "float", "int32", "int64", "password");
  private static final Set<String> SELECTABLE = Set.of("string", "boolean", "integer");
  private static final int MOST_SELECTABLE = 8;

  private ColumnValidation() {}

  static List<FieldError> column(JsonObject column, FieldPath at) {
    FieldErrorList errors = new FieldErrorList();
    errors.present(column, "name", at);
    String type = column.text("type", "");
    String types = "must be one of " + String.join(",", TYPES);
    if (type.isEmpty()) {
      errors.required(at.field("type"), types);
    } else if (!TYPES.contains(type)) {
      errors.invalid(at.field("type"), type, types);
    }
    String format = column.text("format", "");
    if (!format.isEmpty() && !FORMATS.contains(format)) {
      errors.invalid(at.field("format"), format, "must be one of " + String.join(",", FORMATS));
    }
    String path = column.text("jsonPath", "");
    if (path.isEmpty()) {
      errors.required(at.field("JSONPath"), "");
    } else {
      simplePath(path, at.field("JSONPath"), errors);
    }
    return errors.all();
  }

  private static boolean simplePath(String path, FieldPath at, FieldErrorList errors) {
    boolean simple = path.startsWith(".");
    if (!simple) {
      errors.invalid(at, path, "must be a simple json path starting with .");
    }
    return simple;
  }

  static List<FieldError> scale(JsonObject scale, FieldPath at) {
    FieldErrorList errors = new FieldErrorList();
    required(scale, "specReplicasPath", ".spec.", at, errors);
    required(scale, "statusReplicasPath", ".status.", at, errors);
    String selector = scale.text("labelSelectorPath", "");
    if (!selector.isEmpty()
        && simplePath(selector, at.field("labelSelectorPath"), errors)
        && !selector.startsWith(".spec.")
        && !selector.startsWith(".status.")) {
      errors.invalid(
          at.field("labelSelectorPath"),
          selector,
          "should be a json path under either .spec or .status");
    }
    return errors.all();
  }

  private static void required(
      JsonObject scale, String field, String under, FieldPath at, FieldErrorList errors) {
    String path = scale.text(field, "");
    if (path.isEmpty()) {
      errors.required(at.field(field), "");
    } else if (simplePath(path, at.field(field), errors) && !path.startsWith(under)) {
      String parent = under.substring(0, under.length() - 1);
      errors.invalid(at.field(field), path, "should be a json path under " + parent);
    }
  }

  static List<FieldError> selectable(List<JsonObject> fields, JsonObject schema, FieldPath at) {
    FieldErrorList errors = new FieldErrorList();
    Set<String> paths = new HashSet<>();
    for (int i = 0; i < fields.size(); i++) {
      String path = fields.get(i).text("jsonPath", "");
      FieldPath place = at.index(i).field("jsonPath");
      if (path.isEmpty()) {
        errors.required(place, "");
        continue;
      }
      switch (SchemaPath.find(path, StructuralSchema.of(schema), false)) {
        case SchemaPath.Wrong(String why) ->
            errors.invalid(place, path, "is an invalid path: " + why);
        case SchemaPath.Found(String found, StructuralSchema target) -> {
          if (found.equals("metadata") || found.startsWith("metadata.")) {
            errors.invalid(place, path, "must not point to fields in metadata");
          }
          if (!SELECTABLE.contains(target.type())) {
            errors.invalid(
                place,
                path,
                "must point to a field of type string, boolean or integer. Enum string fields and"
                    + " strings with formats are allowed.");
          }
          if (!paths.add(found)) {
            errors.duplicate(place, path);
          }
        }
      }
    }
    if (paths.size() > MOST_SELECTABLE) {
      errors.addAll(
          List.of(
              new FieldError(
                  FieldError.Reason.TOO_MANY,
                  at.toString(),
                  (long) paths.size(),
                  "must have at most 8 items")));
    }
    return errors.all();
  }
}
