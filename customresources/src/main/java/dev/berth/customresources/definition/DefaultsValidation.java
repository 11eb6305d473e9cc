package dev.berth.customresources.definition;

import dev.berth.customresources.rules.SchemaRules;
import dev.berth.customresources.schema.EmbeddedMetadata;
import dev.berth.customresources.schema.Pruning;
import dev.berth.customresources.schema.ValueValidator;
import dev.berth.model.resource.FieldError;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Whether the defaults of a schema are values that it lets through. */
final class DefaultsValidation {
  private final List<FieldError> errors = new ArrayList<>();

  private DefaultsValidation() {}

  static List<FieldError> validate(StructuralSchema schema, FieldPath at) {
    DefaultsValidation validation = new DefaultsValidation();
    if (schema.hasDefaults()) {
      validation.schema(schema, at);
    }
    return validation.errors;
  }

  /** Whether they are values that the rules of the schema let through, once these are valid. */
  static List<FieldError> validateByRules(StructuralSchema schema, FieldPath at) {
    List<FieldError> errors = new ArrayList<>();
    if (!schema.hasDefaults() || !SchemaRules.hasRules(schema)) {
      return errors;
    }
    Object value = schema.whenAbsent();
    if (value != null) {
      errors.addAll(SchemaRules.ofPart(schema).checkDefault(value, at.field("default")));
    }
    if (schema.items() != null) {
      errors.addAll(validateByRules(schema.items(), at.field("items")));
    }
    schema
        .properties()
        .forEach((name, property) ->
            errors.addAll(validateByRules(property, at.field("properties").key(name))));
    return errors;
  }

  private void schema(StructuralSchema schema, FieldPath at) {
    if (!schema.hasDefaults()) {
      return;
    }
    Object value = schema.whenAbsent();
    if (value != null) {
      value(value, schema, at.field("default"));
    }
    if (schema.items() != null) {
      schema(schema.items(), at.field("items"));
    }
    schema
        .properties()
        .forEach((name, property) -> schema(property, at.field("properties").key(name)));
  }

  private void value(Object value, StructuralSchema schema, FieldPath at) {
    Object pruned = Pruning.prune(value, schema, schema.isEmbeddedResource()).value();
    if (!pruned.equals(value)) {
      errors.add(FieldError.invalid(at.toString(), value, "must not have unknown fields"));
    }
    List<FieldError> metadata;
    try {
      var _ = EmbeddedMetadata.coerce(value, schema, schema.isEmbeddedResource());
      metadata =
          value instanceof JsonObject object
              ? EmbeddedMetadata.validate(object, schema, schema.isEmbeddedResource(), at)
              : List.of();
    } catch (JsonException e) {
      errors.add(FieldError.invalid(at.toString(), value, String.valueOf(e.getMessage())));
      return;
    }
    errors.addAll(metadata);
    if (metadata.isEmpty()) {
      errors.addAll(ValueValidator.of(schema).validatePart(at.toString(), value, null));
    }
  }
}
