package dev.berth.serving.openapi;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The request bodies and the responses of operations. */
final class OperationBodies {
  private static final String JSON = "application/json";
  private static final List<String> OBJECTS =
      List.of(JSON, "application/yaml", "application/vnd.kubernetes.protobuf");
  private static final List<String> PATCHES =
      List.of(
          "application/apply-patch+yaml",
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json");
  private static final List<String> CUSTOM_OBJECTS = List.of(JSON, "application/yaml");
  private static final List<String> CUSTOM_PATCHES =
      List.of(
          "application/apply-patch+yaml",
          "application/json-patch+json",
          "application/merge-patch+json");
  private static final GroupVersionKind STATUS = new GroupVersionKind("", "v1", "Status");
  private static final GroupVersionKind DELETE_OPTIONS =
      new GroupVersionKind("", "v1", "DeleteOptions");

  private final Dialect dialect;
  private final Definitions definitions;

  OperationBodies(Dialect dialect, Definitions definitions) {
    this.dialect = dialect;
    this.definitions = definitions;
  }

  /**
   * Writes parameters, body and answers of an operation.
   *
   * @param custom whether somebody defined the resource: {@code kubectl} learns from here that it
   *     cannot merge strategically
   */
  void describe(
      JsonObject.Builder operation,
      List<JsonObject> parameters,
      String action,
      GroupVersionKind kind,
      boolean custom) {
    List<JsonObject> all = new ArrayList<>(parameters);
    List<String> objects = custom ? CUSTOM_OBJECTS : OBJECTS;
    List<String> types = action.equals("patch") ? (custom ? CUSTOM_PATCHES : PATCHES) : objects;
    JsonObject taken =
        switch (action) {
          case "post", "put" -> reference(kind, false);
          case "delete", "deletecollection" -> reference(DELETE_OPTIONS, false);
          case "patch" -> JsonObject.of("type", "object");
          default -> JsonObject.EMPTY;
        };
    JsonObject given =
        switch (action) {
          case "list" -> reference(kind, true);
          case "delete", "deletecollection" -> reference(STATUS, false);
          default -> reference(kind, false);
        };
    boolean hasBody = !taken.isEmpty();
    boolean needsBody = !action.startsWith("delete");
    if (dialect == Dialect.V2) {
      if (hasBody) {
        JsonObject.Builder body =
            new JsonObject.Builder().put("name", "body").put("in", "body").put("schema", taken);
        all.add(needsBody ? body.put("required", true).build() : body.build());
      }
      operation
          .put("consumes", JsonArray.copyOf(hasBody ? types : List.of("*/*")))
          .put("produces", JsonArray.copyOf(objects));
    } else if (hasBody) {
      JsonObject.Builder body = new JsonObject.Builder().put("content", content(types, taken));
      operation.put("requestBody", needsBody ? body.put("required", true).build() : body.build());
    }
    operation.put("parameters", JsonArray.copyOf(all)).put("responses", responses(given, objects));
  }

  private JsonObject reference(GroupVersionKind kind, boolean list) {
    return definitions
        .reference(kind, list)
        .map(reference -> JsonObject.of("$ref", reference))
        .orElseGet(() -> JsonObject.of("type", "object"));
  }

  private static JsonObject content(List<String> types, JsonObject schema) {
    JsonObject.Builder content = new JsonObject.Builder();
    types.forEach(type -> content.put(type, JsonObject.of("schema", schema)));
    return content.build();
  }

  private JsonObject responses(JsonObject schema, List<String> types) {
    JsonObject.Builder ok = new JsonObject.Builder().put("description", "OK");
    if (dialect == Dialect.V2) {
      ok.put("schema", schema);
    } else {
      ok.put("content", content(types, schema));
    }
    JsonObject.Builder all = new JsonObject.Builder().put("200", ok.build());
    return all.put("401", JsonObject.of("description", "Unauthorized")).build();
  }
}
