package dev.berth.cel.schema;

import dev.berth.cel.value.CelField;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.ListSemantics;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Declares types from OpenAPI schemas, as they are in CustomResourceDefinitions: no references.
 *
 * <p>A schema without a type that expressions could use declares none: its field cannot be
 * selected. Sizes follow from the schema's limits, or else from what fits into the largest request.
 */
public final class SchemaTypes {
  static final long MAX_REQUEST = 3 * 1024 * 1024;

  private static final JsonObject STRING = JsonObject.of("type", "string");
  private static final JsonObject METADATA =
      new JsonObject.Builder()
          .put("type", "object")
          .put(
              "properties",
              new JsonObject.Builder().put("name", STRING).put("generateName", STRING).build())
          .build();

  private SchemaTypes() {}

  /**
   * The type of values of a schema; null if it has none.
   *
   * @param name how messages call an object of this schema; fields' types are named after it
   * @param resource whether it is a whole object, which has {@code apiVersion}, {@code kind} and
   *     {@code metadata} even if the schema does not say so
   */
  public static @Nullable SchemaType declare(JsonObject schema, String name, boolean resource) {
    if (schema.flag("x-kubernetes-int-or-string", false)) {
      OptionalLong length = schema.integer("maxLength");
      return SchemaType.simple(
          CelType.DYN, length.isPresent() ? bytes(length.getAsLong()) : MAX_REQUEST - 2, 1);
    }
    return switch (schema.text("type", "")) {
      case "array" -> list(schema, name);
      case "object" -> object(schema, name, resource);
      case "string" -> string(schema);
      case "boolean" -> SchemaType.simple(CelType.BOOL, 0, 4);
      case "number" -> SchemaType.simple(CelType.DOUBLE, 0, 1);
      case "integer" -> SchemaType.simple(CelType.INT, 0, 1);
      default -> null;
    };
  }

  private static boolean isEmbedded(JsonObject schema) {
    return schema.flag("x-kubernetes-embedded-resource", false);
  }

  private static @Nullable SchemaType list(JsonObject schema, String name) {
    JsonObject items = schema.object("items");
    SchemaType element =
        schema.has("items") ? declare(items, name + ".@idx", isEmbedded(items)) : null;
    if (element == null) {
      return null;
    }
    OptionalLong declared = schema.integer("maxItems");
    long max =
        declared.isPresent()
            ? Math.max(0, declared.getAsLong())
            : (MAX_REQUEST - 2) / (element.minSize() + 1);
    return new SchemaType(
        CelType.list(element.type(), semantics(schema)), max, 2, null, element, Map.of());
  }

  private static ListSemantics semantics(JsonObject schema) {
    return switch (schema.text("x-kubernetes-list-type", "")) {
      case "set" -> ListSemantics.SET;
      case "map" -> ListSemantics.map(schema.array("x-kubernetes-list-map-keys").texts());
      default -> ListSemantics.ATOMIC;
    };
  }

  private static @Nullable SchemaType object(JsonObject schema, String name, boolean resource) {
    if (schema.get("additionalProperties") instanceof JsonObject additional) {
      return map(schema, additional, name);
    }
    JsonObject properties = schema.object("properties");
    if (resource) {
      properties = withTypeAndMetadata(properties);
    }
    Set<String> required = new HashSet<>(schema.array("required").texts());
    Map<String, CelField> fields = new HashMap<>();
    Map<String, SchemaType> types = new HashMap<>();
    long minSize = 2;
    for (int i = 0; i < properties.size(); i++) {
      String property = properties.name(i);
      if (!(properties.value(i) instanceof JsonObject of)) {
        continue;
      }
      String field = FieldNames.escape(property).orElse("");
      SchemaType type = declare(of, name + "." + field, isEmbedded(of));
      if (type == null) {
        continue;
      }
      if (!field.isEmpty()) {
        fields.put(field, new CelField(property, type.type()));
        types.put(field, type);
      }
      if (required.contains(property) && !of.has("default")) {
        minSize += property.length() + type.minSize() + 4;
      }
    }
    return new SchemaType(CelType.struct(name, fields), 0, minSize, null, null, types);
  }

  private static @Nullable SchemaType map(JsonObject schema, JsonObject values, String name) {
    SchemaType value = declare(values, name + ".@elem", isEmbedded(values));
    if (value == null) {
      return null;
    }
    OptionalLong declared = schema.integer("maxProperties");
    long max =
        declared.isPresent()
            ? Math.max(0, declared.getAsLong())
            : (MAX_REQUEST - 2) / (value.minSize() + 6);
    SchemaType key = SchemaType.simple(CelType.STRING, 0, 2);
    return new SchemaType(CelType.map(CelType.STRING, value.type()), max, 2, key, value, Map.of());
  }

  private static JsonObject withTypeAndMetadata(JsonObject properties) {
    JsonObject metadata = properties.object("metadata").object("properties");
    boolean complete =
        isString(properties, "kind")
            && isString(properties, "apiVersion")
            && isString(metadata, "name")
            && isString(metadata, "generateName");
    return complete
        ? properties
        : properties.with("kind", STRING).with("apiVersion", STRING).with("metadata", METADATA);
  }

  private static boolean isString(JsonObject properties, String name) {
    return properties.object(name).text("type", "").equals("string");
  }

  private static SchemaType string(JsonObject schema) {
    OptionalLong length = schema.integer("maxLength");
    return switch (schema.text("format", "")) {
      case "byte" ->
          SchemaType.simple(
              CelType.BYTES,
              length.isPresent() ? Math.max(0, length.getAsLong()) : MAX_REQUEST - 2,
              2);
      case "duration" -> SchemaType.simple(CelType.DURATION, 32, 3);
      case "date" -> SchemaType.simple(CelType.TIMESTAMP, 12, 12);
      case "date-time" -> SchemaType.simple(CelType.TIMESTAMP, 32, 21);
      default -> {
        JsonArray values = schema.array("enum");
        long max =
            length.isPresent()
                ? bytes(length.getAsLong())
                : values.isEmpty() ? MAX_REQUEST - 2 : longest(values);
        yield SchemaType.simple(CelType.STRING, max, 2);
      }
    };
  }

  /** A character takes up to four bytes. */
  private static long bytes(long maxLength) {
    return Math.max(0, maxLength) * 4;
  }

  private static long longest(JsonArray values) {
    long longest = 0;
    for (Object value : values.values()) {
      if (value instanceof String text) {
        longest = Math.max(longest, text.length());
      }
    }
    return longest;
  }
}
