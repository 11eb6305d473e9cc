package dev.berth.serving.aggregation;

import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What another server's OpenAPI documents say of its group and version.
 *
 * @param v3Url where its document of version 3 is; empty if it has none
 * @param swagger what its document of version 2 says of its paths; empty if it has none
 */
public record RemoteOpenApi(String v3Url, JsonObject swagger) {
  public static final RemoteOpenApi NONE = new RemoteOpenApi("", JsonObject.EMPTY);

  private static final String DEFINITIONS = "#/definitions/";

  /**
   * Of a version, from all that a server says.
   *
   * @param index the server's {@code /openapi/v3}
   * @param swagger its {@code /openapi/v2}, of which only what belongs to the version is kept
   */
  public static RemoteOpenApi of(GroupVersion version, JsonObject index, JsonObject swagger) {
    String path = "apis/" + version;
    String url = index.object("paths").object(path).text("serverRelativeURL", "");
    return new RemoteOpenApi(url, filtered(swagger, "/" + path + "/"));
  }

  private static JsonObject filtered(JsonObject swagger, String prefix) {
    JsonObject.Builder paths = new JsonObject.Builder();
    Set<String> used = new LinkedHashSet<>();
    JsonObject all = swagger.object("definitions");
    swagger
        .object("paths")
        .forEach((path, item) -> {
          if (path.startsWith(prefix)) {
            paths.put(path, item);
            use(item, all, used);
          }
        });
    JsonObject kept = paths.build();
    if (kept.isEmpty()) {
      return JsonObject.EMPTY;
    }
    JsonObject.Builder definitions = new JsonObject.Builder();
    all.forEach((name, definition) -> {
      if (used.contains(name)) {
        definitions.put(name, definition);
      }
    });
    return JsonObject.of("info", swagger.object("info"))
        .with("paths", kept)
        .with("definitions", definitions.build());
  }

  private static void use(Object tree, JsonObject definitions, Set<String> used) {
    switch (tree) {
      case JsonObject object -> {
        if (object.get("$ref") instanceof String ref && ref.startsWith(DEFINITIONS)) {
          String name = ref.substring(DEFINITIONS.length());
          Object definition = definitions.get(name);
          if (definition != null && used.add(name)) {
            use(definition, definitions, used);
          }
        }
        object.forEach((_, value) -> use(value, definitions, used));
      }
      case JsonArray array -> array.values().forEach(value -> use(value, definitions, used));
      default -> {}
    }
  }
}
