package dev.berth.customresources.schema;

import dev.berth.kinds.resource.Conforming;
import dev.berth.kinds.resource.MetadataValidation;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.NameRules;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Objects inside of objects, where a schema says {@code x-kubernetes-embedded-resource}: they have
 * a kind, a version, and metadata in the shape of all metadata.
 */
@SuppressWarnings("ReferenceEquality") // what does not change is the same value
public final class EmbeddedMetadata {
  private final List<String> unknown = new ArrayList<>();

  private EmbeddedMetadata() {}

  /**
   * A value with the metadata of embedded objects in their shape.
   *
   * @param embedded whether the value is itself such an object
   * @throws JsonException if they have another one
   */
  public static Pruning.Pruned coerce(Object value, StructuralSchema schema, boolean embedded) {
    EmbeddedMetadata metadata = new EmbeddedMetadata();
    Object coerced = metadata.coerce(value, schema, embedded, FieldPath.ROOT);
    return new Pruning.Pruned(coerced, metadata.unknown);
  }

  private Object coerce(
      Object value, @Nullable StructuralSchema schema, boolean embedded, FieldPath at) {
    if (schema == null || !(embedded || schema.embedsResources())) {
      return value;
    }
    return switch (value) {
      case JsonObject object -> coerce(object, schema, embedded, at);
      case JsonArray array -> coerce(array, schema.items(), at);
      default -> value;
    };
  }

  private JsonArray coerce(JsonArray array, @Nullable StructuralSchema items, FieldPath at) {
    if (items == null) {
      return array;
    }
    Object @Nullable [] changed = null;
    for (int i = 0; i < array.size(); i++) {
      Object coerced = coerce(array.get(i), items, items.isEmbeddedResource(), at.index(i));
      if (coerced != array.get(i)) {
        changed = changed == null ? array.values().toArray() : changed;
        changed[i] = coerced;
      }
    }
    return changed == null ? array : JsonArray.of(changed);
  }

  private JsonObject coerce(
      JsonObject object, StructuralSchema schema, boolean embedded, FieldPath at) {
    JsonObject result = object;
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      Object value = object.value(i);
      if (embedded && (name.equals("apiVersion") || name.equals("kind"))) {
        if (!(value instanceof String)) {
          throw new JsonException(
              FieldError.invalid(at.field(name).toString(), value, "must be a string").toString());
        }
      } else if (embedded && name.equals("metadata")) {
        Conforming.Result shaped = Conforming.shapeMetadata(value, at.field(name));
        unknown.addAll(shaped.unknownFields());
        value = shaped.object();
      }
      StructuralSchema inside = schema.field(name);
      Object coerced =
          coerce(
              value,
              inside,
              inside != null && inside.isEmbeddedResource(),
              schema.property(name) == null ? at.key(name) : at.field(name));
      result = coerced == object.value(i) ? result : result.with(name, coerced);
    }
    return result;
  }

  /**
   * What is wrong with the embedded objects.
   *
   * @param embedded whether the object is itself such an object
   */
  public static List<FieldError> validate(
      JsonObject object, StructuralSchema schema, boolean embedded, FieldPath at) {
    List<FieldError> errors = new ArrayList<>();
    validate(object, schema, embedded, at, errors);
    return errors;
  }

  private static void validate(
      Object value,
      @Nullable StructuralSchema schema,
      boolean embedded,
      FieldPath at,
      List<FieldError> errors) {
    if (schema == null || !(embedded || schema.embedsResources())) {
      return;
    }
    StructuralSchema items = schema.items();
    if (value instanceof JsonArray array && items != null) {
      for (int i = 0; i < array.size(); i++) {
        validate(array.get(i), items, items.isEmbeddedResource(), at.index(i), errors);
      }
    }
    if (value instanceof JsonObject object) {
      if (embedded) {
        resource(object, at, errors);
      }
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        StructuralSchema inside = schema.field(name);
        if (inside != null) {
          validate(
              object.value(i),
              inside,
              inside.isEmbeddedResource(),
              schema.property(name) == null ? at.key(name) : at.field(name),
              errors);
        }
      }
    }
  }

  private static void resource(JsonObject object, FieldPath at, List<FieldError> errors) {
    for (String name : List.of("apiVersion", "kind")) {
      String field = at.field(name).toString();
      switch (object.get(name)) {
        case null -> errors.add(FieldError.required(field, ""));
        case String text when text.isEmpty() ->
            errors.add(FieldError.invalid(field, text, "must not be empty"));
        case String text when name.equals("kind") -> kind(text, field, errors);
        case String text -> version(text, field, errors);
        case Object other -> errors.add(FieldError.invalid(field, other, "must be a string"));
      }
    }
    if (object.get("metadata") instanceof JsonObject metadata) {
      errors.addAll(MetadataValidation.validateEmbedded(metadata, at.field("metadata")));
    }
  }

  private static void kind(String kind, String field, List<FieldError> errors) {
    List<String> problems = NameRules.dns1035Label(kind.toLowerCase(Locale.ROOT));
    if (!problems.isEmpty()) {
      errors.add(
          FieldError.invalid(
              field,
              kind,
              "may have mixed case, but should otherwise match: " + String.join(",", problems)));
    }
  }

  private static void version(String version, String field, List<FieldError> errors) {
    try {
      var _ = GroupVersion.parse(version);
    } catch (IllegalArgumentException e) {
      errors.add(FieldError.invalid(field, version, String.valueOf(e.getMessage())));
    }
  }
}
