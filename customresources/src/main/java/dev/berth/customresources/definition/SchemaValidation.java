package dev.berth.customresources.definition;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a schema: whether it is structural, whether its defaults are valid, and then
 * field by field what OpenAPI allows and Kubernetes does not.
 */
final class SchemaValidation {
  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");
  private static final Set<String> META = Set.of("metadata", "kind", "apiVersion");

  /** With a status of its own, a schema's root has these alone. */
  private static final Set<String> AT_ROOT =
      Set.of(
          "description",
          "type",
          "format",
          "title",
          "maximum",
          "exclusiveMaximum",
          "minimum",
          "exclusiveMinimum",
          "maxLength",
          "minLength",
          "pattern",
          "maxItems",
          "minItems",
          "uniqueItems",
          "multipleOf",
          "required",
          "items",
          "properties",
          "externalDocs",
          "example",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-validations");

  /** The same, by their names in Go. */
  private static final String AT_ROOT_NAMES =
      "[Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength"
          + " MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties"
          + " ExternalDocs Example XPreserveUnknownFields XValidations]";

  private final FieldErrorList errors = new FieldErrorList();

  private SchemaValidation() {}

  /** Where in an object a schema stands, as far as that matters for what it may say. */
  private record Context(boolean root, boolean insideMeta, @Nullable String noDefaultsBecause) {
    Context below() {
      return new Context(false, insideMeta, noDefaultsBecause);
    }

    Context inMeta() {
      return new Context(false, true, noDefaultsBecause);
    }

    Context withoutDefaults(String because) {
      return new Context(false, insideMeta, because);
    }
  }

  /**
   * @param hasStatus whether the status has a path of its own
   * @param known whether the schema was accepted before
   */
  static List<FieldError> validate(
      JsonObject schema, boolean hasStatus, FieldPath at, boolean known) {
    SchemaValidation validation = new SchemaValidation();
    if (hasStatus) {
      validation.root(schema, at);
    }
    if (Boolean.TRUE.equals(schema.get("nullable"))) {
      validation.errors.forbidden(at.field("nullable"), "nullable cannot be true at the root");
    }
    StructuralSchema structural = StructuralSchema.of(schema);
    List<FieldError> shape = StructuralValidation.validate(schema, at);
    List<FieldError> defaults =
        shape.isEmpty() ? DefaultsValidation.validate(structural, at) : List.of();
    validation.errors.addAll(shape);
    validation.errors.addAll(defaults);
    validation.schema(schema, at, new Context(true, false, null));
    if (validation.errors.all().isEmpty()) {
      validation.errors.addAll(RuleValidation.validate(structural, at, known));
    }
    if (validation.errors.all().isEmpty()) {
      validation.errors.addAll(DefaultsValidation.validateByRules(structural, at));
    }
    return validation.errors.all();
  }

  private void root(JsonObject schema, FieldPath at) {
    String type = schema.get("type") instanceof String text ? text : "";
    if (!type.isEmpty() && !type.equals("object")) {
      errors.invalid(
          at.field("type"),
          type,
          "only \"object\" is allowed as the type at the root of the schema if the status"
              + " subresource is enabled");
      return;
    }
    if (schema.names().stream().anyMatch(name -> !AT_ROOT.contains(name))) {
      errors.invalid(
          at,
          schema,
          "only %s fields are allowed at the root of the schema if the status subresource is enabled"
              .formatted(AT_ROOT_NAMES));
    }
  }

  private void schema(JsonObject schema, FieldPath at, Context context) {
    unsupported(schema, at, context);
    if (Boolean.TRUE.equals(schema.get("uniqueItems"))) {
      errors.forbidden(
          at.field("uniqueItems"),
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    additional(schema, at, context);
    properties(schema, at, context);
    if (schema.get("not") instanceof JsonObject not) {
      schema(not, at.field("not"), context.below());
    }
    for (String name : List.of("allOf", "oneOf", "anyOf")) {
      List<Object> all = schema.get(name) instanceof JsonArray array ? array.values() : List.of();
      for (int i = 0; i < all.size(); i++) {
        if (all.get(i) instanceof JsonObject part) {
          schema(part, at.field(name).index(i), context.below());
        }
      }
    }
    if (schema.get("items") instanceof JsonObject items) {
      schema(items, at.field("items"), context.below());
    }
    extensions(schema, at);
    ListTypeValidation.validate(schema, at, errors);
    RuleForm.validate(schema, at, errors);
  }

  private void unsupported(JsonObject schema, FieldPath at, Context context) {
    String type = schema.get("type") instanceof String text ? text : "";
    if (!type.isEmpty() && !TYPES.contains(type)) {
      errors.oneOf(at.field("type"), type, TYPES);
    }
    if (schema.has("default") && context.noDefaultsBecause != null) {
      errors.forbidden(at.field("default"), "must not be set " + context.noDefaultsBecause);
    }
    for (String name :
        List.of(
            "id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref")) {
      if (schema.has(name)) {
        errors.forbidden(at.field(name), name + " is not supported");
      }
    }
    if (type.equals("null")) {
      errors.forbidden(
          at.field("type"), "type cannot be set to null, use nullable as an alternative");
    }
    if (schema.get("items") instanceof JsonArray) {
      errors.forbidden(at.field("items"), "items must be a schema object and not an array");
    }
    if (context.insideMeta && Boolean.TRUE.equals(schema.get("x-kubernetes-embedded-resource"))) {
      errors.forbidden(
          at.field("x-kubernetes-embedded-resource"), "must not be used inside of resource meta");
    }
  }

  private void additional(JsonObject schema, FieldPath at, Context context) {
    Object additional = schema.get("additionalProperties");
    if (additional == null) {
      return;
    }
    boolean hasProperties =
        schema.get("properties") instanceof JsonObject properties && !properties.isEmpty();
    if (hasProperties && !Boolean.TRUE.equals(additional)) {
      errors.forbidden(
          at.field("additionalProperties"),
          "additionalProperties and properties are mutual exclusive");
    }
    if (additional instanceof JsonObject inside) {
      schema(
          inside,
          at.field("additionalProperties"),
          context.insideMeta
              ? context.withoutDefaults("inside additionalProperties applying to object metadata")
              : context.below());
    }
  }

  private void properties(JsonObject schema, FieldPath at, Context context) {
    if (!(schema.get("properties") instanceof JsonObject properties)) {
      return;
    }
    boolean resource =
        context.root || Boolean.TRUE.equals(schema.get("x-kubernetes-embedded-resource"));
    for (String name : properties.names()) {
      if (!(properties.get(name) instanceof JsonObject property)) {
        continue;
      }
      Context inside = context.below();
      if (resource && META.contains(name)) {
        inside = inside.inMeta();
        inside = context.root ? inside.withoutDefaults("in top-level " + name) : inside;
      }
      schema(property, at.field("properties").key(name), inside);
    }
  }

  private void extensions(JsonObject schema, FieldPath at) {
    if (Boolean.FALSE.equals(schema.get("x-kubernetes-preserve-unknown-fields"))) {
      errors.invalid(
          at.field("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined");
    }
    if (schema.get("x-kubernetes-map-type") instanceof String map) {
      typed(schema, "object", "x-kubernetes-map-type", at);
      if (!map.equals("atomic") && !map.equals("granular")) {
        errors.oneOf(at.field("x-kubernetes-map-type"), map, List.of("atomic", "granular"));
      }
    }
    if (schema.get("x-kubernetes-list-type") instanceof String) {
      typed(schema, "array", "x-kubernetes-list-type", at);
    }
  }

  private void typed(JsonObject schema, String needed, String because, FieldPath at) {
    String type = schema.get("type") instanceof String text ? text : "";
    String words = "must be " + needed + " if " + because + " is specified";
    if (type.isEmpty()) {
      errors.required(at.field("type"), words);
    } else if (!type.equals(needed)) {
      errors.invalid(at.field("type"), type, words);
    }
  }
}
