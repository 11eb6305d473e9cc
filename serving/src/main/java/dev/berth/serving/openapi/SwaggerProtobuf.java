package dev.berth.serving.openapi;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Map;

/**
 * Writes an OpenAPI 2 document in protobuf, as the messages of {@code openapi.v2.Document} number
 * their fields. Clients before 1.27 read no other form.
 *
 * <p>In these messages an object whose fields are free is a list of names and values, and whatever
 * has no message of its own is a piece of YAML, for which JSON will do.
 */
final class SwaggerProtobuf {
  private static final Map<String, Integer> METHODS =
      Map.of("get", 2, "put", 3, "post", 4, "delete", 5, "patch", 8);

  private SwaggerProtobuf() {}

  static byte[] document(JsonObject document) {
    JsonObject info = document.object("info");
    ProtoMessage definitions = new ProtoMessage();
    document
        .object("definitions")
        .forEach((name, schema) ->
            definitions.put(1, ProtoMessage.named(name, schema((JsonObject) schema))));
    ProtoMessage paths = new ProtoMessage();
    document
        .object("paths")
        .forEach(
            (path, item) -> paths.put(2, ProtoMessage.named(path, pathItem((JsonObject) item))));
    return new ProtoMessage()
        .put(1, document.text("swagger", ""))
        .put(2, new ProtoMessage().put(1, info.text("title", "")).put(2, info.text("version", "")))
        .put(8, paths)
        .put(9, definitions)
        .toBytes();
  }

  private static ProtoMessage pathItem(JsonObject item) {
    ProtoMessage message = new ProtoMessage();
    METHODS.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .filter(method -> item.has(method.getKey()))
        .forEach(method -> message.put(method.getValue(), operation(item.object(method.getKey()))));
    parameters(message, 9, item.array("parameters"));
    return message;
  }

  private static ProtoMessage operation(JsonObject operation) {
    ProtoMessage message = new ProtoMessage();
    operation.array("tags").texts().forEach(tag -> message.put(1, tag));
    message.put(5, operation.text("operationId", ""));
    operation.array("produces").texts().forEach(type -> message.put(6, type));
    operation.array("consumes").texts().forEach(type -> message.put(7, type));
    parameters(message, 8, operation.array("parameters"));
    ProtoMessage responses = new ProtoMessage();
    operation
        .object("responses")
        .forEach((code, response) -> {
          JsonObject given = (JsonObject) response;
          ProtoMessage written = new ProtoMessage().put(1, given.text("description", ""));
          if (given.has("schema")) {
            written.put(2, new ProtoMessage().put(1, schema(given.object("schema"))));
          }
          responses.put(1, ProtoMessage.named(code, new ProtoMessage().put(1, written)));
        });
    message.put(9, responses);
    message.putExtensions(13, operation);
    return message;
  }

  private static void parameters(ProtoMessage message, int field, JsonArray parameters) {
    for (JsonObject parameter : parameters.objects()) {
      message.put(field, new ProtoMessage().put(1, parameter(parameter)));
    }
  }

  private static ProtoMessage parameter(JsonObject parameter) {
    String in = parameter.text("in", "");
    String name = parameter.text("name", "");
    boolean required = parameter.flag("required", false);
    if (in.equals("body")) {
      return new ProtoMessage()
          .put(
              1,
              new ProtoMessage()
                  .put(2, name)
                  .put(3, in)
                  .put(4, required)
                  .put(5, schema(parameter.object("schema"))));
    }
    ProtoMessage simple =
        new ProtoMessage()
            .put(1, required)
            .put(2, in)
            .put(3, parameter.text("description", ""))
            .put(4, name);
    boolean path = in.equals("path");
    simple.put(path ? 5 : 6, parameter.text("type", ""));
    simple.put(path ? 19 : 20, parameter.flag("uniqueItems", false));
    return new ProtoMessage().put(2, new ProtoMessage().put(path ? 4 : 3, simple));
  }

  private static ProtoMessage schema(JsonObject schema) {
    ProtoMessage message =
        new ProtoMessage()
            .put(1, schema.text("$ref", ""))
            .put(2, schema.text("format", ""))
            .put(4, schema.text("description", ""));
    schema.array("required").texts().forEach(name -> message.put(19, name));
    schema.array("enum").values().forEach(value -> message.put(20, ProtoMessage.yaml(value)));
    if (schema.has("additionalProperties")) {
      message.put(21, new ProtoMessage().put(1, schema(schema.object("additionalProperties"))));
    }
    if (schema.has("type")) {
      message.put(22, new ProtoMessage().put(1, schema.text("type", "")));
    }
    if (schema.has("items")) {
      message.put(23, new ProtoMessage().put(1, schema(schema.object("items"))));
    }
    if (schema.has("properties")) {
      ProtoMessage properties = new ProtoMessage();
      schema
          .object("properties")
          .forEach((name, value) ->
              properties.put(1, ProtoMessage.named(name, schema((JsonObject) value))));
      message.put(25, properties);
    }
    message.putExtensions(31, schema);
    return message;
  }
}
