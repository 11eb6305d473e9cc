package dev.berth.customresources.definition;

import dev.berth.customresources.schema.ValueValidator;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Whether a schema is structural: every value has a type, said outside of {@code anyOf} and its
 * like; these only restrict values that are known otherwise; and metadata are Kubernetes' own.
 */
final class StructuralValidation {
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final String EMBEDDED = "x-kubernetes-embedded-resource";
  private static final String INT_OR_STRING = "x-kubernetes-int-or-string";
  private static final JsonArray INTEGER_OR_STRING =
      JsonArray.of(JsonObject.of("type", "integer"), JsonObject.of("type", "string"));
  private static final Set<String> NAMES = Set.of("name", "generateName");

  private final FieldErrorList errors = new FieldErrorList();

  private StructuralValidation() {}

  /** Where a schema stands. */
  private enum Level {
    ROOT("must not be empty at the root"),
    ITEM("must not be empty for specified array items"),
    FIELD("must not be empty for specified object fields");

    private final String noType;

    Level(String noType) {
      this.noType = noType;
    }
  }

  static List<FieldError> validate(JsonObject schema, FieldPath at) {
    StructuralValidation validation = new StructuralValidation();
    validation.invariants(schema, Level.ROOT, at);
    validation.complete(schema, schema, at, at);
    return validation.errors.all().stream()
        .sorted(Comparator.comparing(FieldError::toString))
        .toList();
  }

  private static String text(JsonObject schema, String field) {
    return schema.get(field) instanceof String text ? text : "";
  }

  private static boolean flag(JsonObject schema, String field) {
    return Boolean.TRUE.equals(schema.get(field));
  }

  private static JsonObject inside(JsonObject schema, String field) {
    return schema.get(field) instanceof JsonObject object ? object : JsonObject.EMPTY;
  }

  private static List<Object> all(JsonObject schema, String field) {
    return schema.get(field) instanceof JsonArray array ? array.values() : List.of();
  }

  private void invariants(JsonObject schema, Level level, FieldPath at) {
    String type = text(schema, "type");
    if (type.equals("array") && !schema.has("items")) {
      errors.required(at.field("items"), "must be specified");
    }
    if (schema.get("items") instanceof JsonObject items) {
      invariants(items, Level.ITEM, at.field("items"));
    }
    JsonObject properties = inside(schema, "properties");
    for (String name : properties.names()) {
      if (properties.get(name) instanceof JsonObject property) {
        invariants(property, Level.FIELD, at.field("properties").key(name));
      }
    }
    boolean hasAdditional = schema.has("additionalProperties");
    if (hasAdditional && level == Level.ROOT) {
      errors.forbidden(at.field("additionalProperties"), "must not be used at the root");
    }
    if (schema.get("additionalProperties") instanceof JsonObject additional) {
      invariants(additional, Level.FIELD, at.field("additionalProperties"));
    }
    extensions(schema, at);
    boolean anyOf = INTEGER_OR_STRING.equals(schema.get("anyOf"));
    boolean allOf =
        all(schema, "allOf").stream()
            .limit(1)
            .anyMatch(
                first -> first instanceof JsonObject o && INTEGER_OR_STRING.equals(o.get("anyOf")));
    values(schema, anyOf, allOf, at);
    types(schema, level, hasAdditional, at);
    metadata(schema, level, at);
  }

  private void extensions(JsonObject schema, FieldPath at) {
    if (flag(schema, INT_OR_STRING)) {
      for (String other : List.of(PRESERVE, EMBEDDED)) {
        if (flag(schema, other)) {
          errors.invalid(
              at.field(other), true, "must be false if x-kubernetes-int-or-string is true");
        }
      }
    }
  }

  private void types(JsonObject schema, Level level, boolean hasAdditional, FieldPath at) {
    String type = text(schema, "type");
    boolean embedded = flag(schema, EMBEDDED);
    if (embedded && !type.equals("object")) {
      String words = "must be object if x-kubernetes-embedded-resource is true";
      if (type.isEmpty()) {
        errors.required(at.field("type"), words);
      } else {
        errors.invalid(at.field("type"), type, words);
      }
    } else if (type.isEmpty() && !flag(schema, INT_OR_STRING) && !flag(schema, PRESERVE)) {
      errors.required(at.field("type"), level.noType);
    }
    if (embedded && hasAdditional) {
      errors.forbidden(
          at.field("additionalProperties"),
          "must not be used if x-kubernetes-embedded-resource is set");
    }
    if (level == Level.ROOT && !type.isEmpty() && !type.equals("object")) {
      errors.invalid(at.field("type"), type, "must be object at the root");
    }
    if (embedded && !flag(schema, PRESERVE) && inside(schema, "properties").isEmpty()) {
      errors.required(
          at.field("properties"),
          "must not be empty if x-kubernetes-embedded-resource is true without"
              + " x-kubernetes-preserve-unknown-fields");
    }
  }

  private void metadata(JsonObject schema, Level level, FieldPath at) {
    JsonObject properties = inside(schema, "properties");
    boolean checked = level == Level.ROOT || flag(schema, EMBEDDED);
    for (String name : List.of("kind", "apiVersion")) {
      String type = text(inside(properties, name), "type");
      if (checked && properties.has(name) && !type.equals("string")) {
        errors.invalid(at.field("properties").key(name).field("type"), type, "must be string");
      }
    }
    if (!(properties.get("metadata") instanceof JsonObject metadata)) {
      return;
    }
    FieldPath place = at.field("properties").key("metadata");
    String type = text(metadata, "type");
    if (checked && !type.equals("object")) {
      errors.invalid(place.field("type"), type, "must be object");
    }
    if (level == Level.ROOT) {
      JsonObject rest = metadata.without("type").without("default");
      boolean onlyNames = NAMES.containsAll(inside(rest, "properties").names());
      rest = onlyNames ? rest.without("properties") : rest;
      if (!rest.isEmpty()) {
        errors.forbidden(
            place,
            "must not specify anything other than name and generateName, but metadata is"
                + " implicitly specified");
      }
    }
  }

  /** What restricts values, whose own parts must not say what a value is. */
  private void values(JsonObject schema, boolean skipAnyOf, boolean skipFirst, FieldPath at) {
    if (!skipAnyOf) {
      parts(schema, "anyOf", false, at);
    }
    parts(schema, "allOf", skipFirst, at);
    parts(schema, "oneOf", false, at);
    if (schema.get("not") instanceof JsonObject not) {
      nested(not, false, at.field("not"));
    }
    String pattern = text(schema, "pattern");
    if (!pattern.isEmpty()) {
      ValueValidator.patternProblem(pattern)
          .ifPresent(why ->
              errors.invalid(
                  at.field("pattern"),
                  pattern,
                  "must be a valid regular expression, but isn't: " + why));
    }
  }

  private void parts(JsonObject schema, String field, boolean skipFirst, FieldPath at) {
    List<Object> parts = all(schema, field);
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof JsonObject part) {
        nested(part, skipFirst && i == 0, at.field(field).index(i));
      }
    }
  }

  private void nested(JsonObject part, boolean skipAnyOf, FieldPath at) {
    values(part, skipAnyOf, false, at);
    if (part.get("items") instanceof JsonObject items) {
      nested(items, false, at.field("items"));
    }
    JsonObject properties = inside(part, "properties");
    for (String name : properties.names()) {
      if (properties.get(name) instanceof JsonObject property) {
        nested(property, false, at.field("properties").key(name));
      }
    }
    forbidden(part, "type", "must be empty to be structural", at);
    if (part.has("additionalProperties")
        && !Boolean.FALSE.equals(part.get("additionalProperties"))) {
      errors.forbidden(at.field("additionalProperties"), "must be undefined to be structural");
    }
    forbidden(part, "default", "must be undefined to be structural", at);
    forbidden(part, "title", "must be empty to be structural", at);
    forbidden(part, "description", "must be empty to be structural", at);
    for (String name : List.of("nullable", PRESERVE, EMBEDDED, INT_OR_STRING)) {
      if (flag(part, name)) {
        errors.forbidden(at.field(name), "must be false to be structural");
      }
    }
    forbidden(part, "x-kubernetes-list-map-keys", "must be empty to be structural", at);
    forbidden(part, "x-kubernetes-list-type", "must be undefined to be structural", at);
    forbidden(part, "x-kubernetes-map-type", "must be undefined to be structural", at);
    forbidden(part, "x-kubernetes-validations", "must be empty to be structural", at);
    if (properties.has("metadata")) {
      errors.forbidden(
          at.field("properties").key("metadata"), "must not be specified in a nested context");
    }
  }

  private void forbidden(JsonObject part, String field, String why, FieldPath at) {
    if (part.has(field) && !"".equals(part.get(field))) {
      errors.forbidden(at.field(field), why);
    }
  }

  /** What restricts a value must restrict one that the schema knows. */
  private void complete(JsonObject values, JsonObject schema, FieldPath known, FieldPath at) {
    if (values.get("not") instanceof JsonObject not) {
      nestedComplete(not, schema, known, at.field("not"));
    }
    for (String field : List.of("allOf", "anyOf", "oneOf")) {
      List<Object> parts = all(values, field);
      for (int i = 0; i < parts.size(); i++) {
        if (parts.get(i) instanceof JsonObject part) {
          nestedComplete(part, schema, known, at.field(field).index(i));
        }
      }
    }
  }

  private void nestedComplete(JsonObject part, JsonObject schema, FieldPath known, FieldPath at) {
    complete(part, schema, known, at);
    if (part.get("items") instanceof JsonObject items) {
      FieldPath place = known.field("items");
      if (schema.get("items") instanceof JsonObject own) {
        nestedComplete(items, own, place, at.field("items"));
      } else {
        errors.required(place, "because it is defined in " + at.field("items"));
      }
    }
    JsonObject properties = inside(part, "properties");
    JsonObject declared = inside(schema, "properties");
    for (String name : properties.names()) {
      if (!(properties.get(name) instanceof JsonObject property)) {
        continue;
      }
      FieldPath place = known.field("properties").key(name);
      FieldPath from = at.field("properties").key(name);
      if (declared.get(name) instanceof JsonObject own) {
        nestedComplete(property, own, place, from);
      } else {
        errors.required(place, "because it is defined in " + from);
      }
    }
  }
}
