package dev.berth.serving.openapi;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * An OpenAPI 3 document made of an OpenAPI 2 document, for servers that have no newer one: what
 * version 2 cannot say is not in it.
 */
final class SwaggerUpgrade {
  private static final String OLD = "#/definitions/";
  private static final String NEW = "#/components/schemas/";

  /** What a path has for its methods. */
  private static final Set<String> METHODS =
      Set.of("get", "put", "post", "delete", "options", "head", "patch");

  /** What version 3 has in a schema, and version 2 beside the parameter's name. */
  private static final List<String> OF_TYPE = List.of("type", "format", "uniqueItems", "items");

  private SwaggerUpgrade() {}

  static JsonObject upgrade(JsonObject swagger) {
    JsonObject.Builder document = new JsonObject.Builder().put("openapi", "3.0.0");
    document.put("info", swagger.object("info"));
    document.put("paths", each(swagger.object("paths"), SwaggerUpgrade::path));
    document.put(
        "components",
        JsonObject.of("schemas", each(swagger.object("definitions"), SwaggerUpgrade::schema)));
    return document.build();
  }

  /** How one value is made of another. */
  private interface Change {
    Object of(Object value);
  }

  private static JsonObject each(JsonObject all, Change change) {
    JsonObject.Builder changed = new JsonObject.Builder();
    all.forEach((name, value) -> changed.put(name, change.of(value)));
    return changed.build();
  }

  private static Object path(Object value) {
    if (!(value instanceof JsonObject old)) {
      return value;
    }
    JsonObject.Builder path = new JsonObject.Builder();
    old.forEach((name, part) ->
        path.put(
            name,
            switch (part) {
              case JsonObject operation when METHODS.contains(name) -> operation(operation);
              case JsonArray all when name.equals("parameters") ->
                  all.mapObjects(SwaggerUpgrade::parameter);
              default -> part;
            }));
    return path.build();
  }

  private static JsonObject operation(JsonObject old) {
    JsonObject operation =
        old.without("consumes").without("produces").without("schemes").without("parameters");
    List<JsonObject> parameters = new ArrayList<>();
    for (JsonObject parameter : old.array("parameters").objects()) {
      if (parameter.text("in", "").equals("body")) {
        JsonObject body = content(old.array("consumes").texts(), parameter.object("schema"));
        operation = operation.with("requestBody", JsonObject.of("content", body));
      } else {
        parameters.add(parameter(parameter));
      }
    }
    if (!parameters.isEmpty()) {
      operation = operation.with("parameters", JsonArray.copyOf(parameters));
    }
    List<String> produces = old.array("produces").texts();
    return operation.with(
        "responses", each(old.object("responses"), each -> response(each, produces)));
  }

  private static Object response(Object value, List<String> produces) {
    return value instanceof JsonObject old && old.has("schema")
        ? old.without("schema").with("content", content(produces, old.object("schema")))
        : value;
  }

  private static JsonObject content(List<String> types, JsonObject schema) {
    JsonObject.Builder content = new JsonObject.Builder();
    Object upgraded = schema(schema);
    types.forEach(type -> content.put(type, JsonObject.of("schema", upgraded)));
    return content.build();
  }

  private static JsonObject parameter(JsonObject old) {
    if (old.has("$ref")) {
      return old;
    }
    JsonObject parameter = old;
    JsonObject.Builder type = new JsonObject.Builder();
    for (String field : OF_TYPE) {
      type.putIfPresent(field, old.get(field));
      parameter = parameter.without(field);
    }
    return parameter.with("schema", type.build());
  }

  /** A reference stands alone in version 3: what is said beside it stands around it. */
  private static Object schema(Object value) {
    return switch (value) {
      case JsonArray array ->
          JsonArray.copyOf(array.values().stream().map(SwaggerUpgrade::schema).toList());
      case JsonObject object -> {
        JsonObject schema = each(object, SwaggerUpgrade::schema);
        if (!(object.get("$ref") instanceof String ref) || !ref.startsWith(OLD)) {
          yield schema;
        }
        JsonObject reference = JsonObject.of("$ref", NEW + ref.substring(OLD.length()));
        JsonObject around = schema.without("$ref");
        yield around.isEmpty() ? reference : around.with("allOf", JsonArray.of(reference));
      }
      default -> value;
    };
  }
}
