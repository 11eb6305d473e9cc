package dev.berth.serving.openapi;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes an OpenAPI 3 document in protobuf, as the messages of {@code openapi.v3.Document} number
 * their fields. As in {@link SwaggerProtobuf}, free fields are names with values, and what has no
 * message of its own is a piece of YAML, for which JSON will do.
 */
final class OpenApi3Protobuf {
  /** The second is what old clients ask for, though no media type may hold such a character. */
  static final List<String> MEDIA_TYPES =
      List.of(
          "application/com.github.proto-openapi.spec.v3.v1.0+protobuf",
          "application/com.github.proto-openapi.spec.v3@v1.0+protobuf");

  private static final Map<String, Integer> METHODS =
      Map.of("get", 4, "put", 5, "post", 6, "delete", 7, "options", 8, "head", 9, "patch", 10);

  /** The fields of a schema that are text, flags, numbers and counts. */
  private static final Map<String, Integer> TEXTS =
      Map.of("title", 9, "pattern", 17, "type", 25, "description", 34, "format", 35);

  private static final Map<String, Integer> FLAGS =
      Map.of(
          "nullable", 1,
          "readOnly", 3,
          "writeOnly", 4,
          "deprecated", 8,
          "exclusiveMaximum", 12,
          "exclusiveMinimum", 14,
          "uniqueItems", 20);
  private static final Map<String, Integer> NUMBERS =
      Map.of("multipleOf", 10, "maximum", 11, "minimum", 13);
  private static final Map<String, Integer> COUNTS =
      Map.of(
          "maxLength", 15,
          "minLength", 16,
          "maxItems", 18,
          "minItems", 19,
          "maxProperties", 21,
          "minProperties", 22);
  private static final Map<String, Integer> LISTS = Map.of("allOf", 26, "oneOf", 27, "anyOf", 28);

  private OpenApi3Protobuf() {}

  static byte[] document(JsonObject document) {
    JsonObject info = document.object("info");
    ProtoMessage paths = new ProtoMessage();
    document
        .object("paths")
        .forEach(
            (path, item) -> paths.put(1, ProtoMessage.named(path, pathItem((JsonObject) item))));
    ProtoMessage schemas = new ProtoMessage();
    document
        .object("components")
        .object("schemas")
        .forEach(
            (name, schema) -> schemas.put(1, ProtoMessage.named(name, schemaOrReference(schema))));
    return new ProtoMessage()
        .put(1, document.text("openapi", ""))
        .put(2, new ProtoMessage().put(1, info.text("title", "")).put(6, info.text("version", "")))
        .put(4, paths)
        .put(5, new ProtoMessage().put(1, schemas))
        .toBytes();
  }

  private static ProtoMessage pathItem(JsonObject item) {
    ProtoMessage message = new ProtoMessage();
    METHODS.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .filter(method -> item.has(method.getKey()))
        .forEach(method -> message.put(method.getValue(), operation(item.object(method.getKey()))));
    parameters(message, 13, item.array("parameters"));
    return message;
  }

  private static ProtoMessage operation(JsonObject operation) {
    ProtoMessage message = new ProtoMessage();
    operation.array("tags").texts().forEach(tag -> message.put(1, tag));
    message.put(3, operation.text("description", "")).put(5, operation.text("operationId", ""));
    parameters(message, 6, operation.array("parameters"));
    if (operation.has("requestBody")) {
      JsonObject body = operation.object("requestBody");
      message.put(
          7,
          new ProtoMessage()
              .put(
                  1,
                  new ProtoMessage()
                      .put(1, body.text("description", ""))
                      .put(2, content(body.object("content")))
                      .put(3, body.flag("required", false))));
    }
    ProtoMessage responses = new ProtoMessage();
    operation
        .object("responses")
        .forEach((code, response) -> {
          JsonObject given = (JsonObject) response;
          ProtoMessage written = new ProtoMessage().put(1, given.text("description", ""));
          if (given.has("content")) {
            written.put(3, content(given.object("content")));
          }
          responses.put(2, ProtoMessage.named(code, new ProtoMessage().put(1, written)));
        });
    message.put(8, responses);
    message.putExtensions(13, operation);
    return message;
  }

  private static ProtoMessage content(JsonObject types) {
    ProtoMessage message = new ProtoMessage();
    types.forEach((type, value) ->
        message.put(
            1,
            ProtoMessage.named(
                type,
                new ProtoMessage().put(1, schemaOrReference(((JsonObject) value).get("schema"))))));
    return message;
  }

  private static void parameters(ProtoMessage message, int field, JsonArray parameters) {
    for (JsonObject parameter : parameters.objects()) {
      message.put(
          field,
          new ProtoMessage()
              .put(
                  1,
                  new ProtoMessage()
                      .put(1, parameter.text("name", ""))
                      .put(2, parameter.text("in", ""))
                      .put(3, parameter.text("description", ""))
                      .put(4, parameter.flag("required", false))
                      .put(10, schemaOrReference(parameter.get("schema")))));
    }
  }

  private static ProtoMessage schemaOrReference(@Nullable Object value) {
    JsonObject schema = value instanceof JsonObject object ? object : JsonObject.EMPTY;
    return schema.has("$ref")
        ? new ProtoMessage().put(2, new ProtoMessage().put(1, schema.text("$ref", "")))
        : new ProtoMessage().put(1, schema(schema));
  }

  private static ProtoMessage schema(JsonObject schema) {
    ProtoMessage message = new ProtoMessage();
    TEXTS.forEach((name, field) -> message.put(field, schema.text(name, "")));
    FLAGS.forEach((name, field) -> message.put(field, schema.flag(name, false)));
    NUMBERS.forEach((name, field) -> {
      if (schema.has(name)) {
        message.put(field, number(schema.get(name)));
      }
    });
    COUNTS.forEach((name, field) -> message.put(field, schema.integer(name).orElse(0)));
    LISTS.forEach((name, field) ->
        schema.array(name).values().forEach(one -> message.put(field, schemaOrReference(one))));
    if (schema.has("example")) {
      message.put(7, ProtoMessage.yaml(schema.object("example")));
    }
    schema.array("required").texts().forEach(name -> message.put(23, name));
    schema.array("enum").values().forEach(value -> message.put(24, ProtoMessage.yaml(value)));
    if (schema.has("not")) {
      message.put(29, schema(schema.object("not")));
    }
    if (schema.has("items")) {
      message.put(30, new ProtoMessage().put(1, schemaOrReference(schema.get("items"))));
    }
    if (schema.has("properties")) {
      ProtoMessage properties = new ProtoMessage();
      schema
          .object("properties")
          .forEach((name, value) ->
              properties.put(1, ProtoMessage.named(name, schemaOrReference(value))));
      message.put(31, properties);
    }
    additional(schema.get("additionalProperties"), message);
    whenAbsent(schema.get("default"), message);
    message.putExtensions(36, schema);
    return message;
  }

  private static void additional(@Nullable Object value, ProtoMessage message) {
    switch (value) {
      case Boolean allowed -> message.put(32, new ProtoMessage().choose(2, allowed));
      case JsonObject schema ->
          message.put(32, new ProtoMessage().put(1, schemaOrReference(schema)));
      case null, default -> {}
    }
  }

  /** There is no message for a default that is a list or an object: upstream loses these, too. */
  private static void whenAbsent(@Nullable Object value, ProtoMessage message) {
    switch (value) {
      case Boolean flag -> message.put(33, new ProtoMessage().choose(2, flag));
      case String text -> message.put(33, new ProtoMessage().choose(3, text));
      case Long number -> message.put(33, new ProtoMessage().choose(1, number.doubleValue()));
      case JsonNumber number -> message.put(33, new ProtoMessage().choose(1, number(number)));
      case null, default -> {}
    }
  }

  private static double number(@Nullable Object value) {
    return Double.parseDouble(JsonWriter.toText(value == null ? 0L : value));
  }
}
