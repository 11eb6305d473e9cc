package dev.berth.apiserver.discovery;

import dev.berth.apiserver.resource.Catalog;
import dev.berth.apiserver.resource.Resource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The paths of OpenAPI v3: which documents there are, and in each what can be patched with which
 * parameters. Clients look there to learn that the server validates fields itself.
 */
final class OpenApiPaths {
  private static final String ROOT = "/openapi/v3";
  private static final List<String> PATCH_PARAMETERS =
      List.of("dryRun", "fieldManager", "fieldValidation", "force", "pretty");

  private final Map<String, JsonObject> documents = new LinkedHashMap<>();

  OpenApiPaths(Catalog catalog) {
    JsonObject.Builder paths = new JsonObject.Builder();
    for (GroupVersion version : catalog.versions()) {
      String path = Discovery.path(version).substring(1);
      paths.put(path, JsonObject.of("serverRelativeURL", ROOT + "/" + path));
      documents.put(ROOT + "/" + path, document(catalog.resources(version), version));
    }
    documents.put(ROOT, JsonObject.of("paths", paths.build()));
  }

  Optional<JsonObject> answer(String path) {
    return Optional.ofNullable(documents.get(path));
  }

  private static JsonObject document(List<Resource> resources, GroupVersion version) {
    JsonObject.Builder paths = new JsonObject.Builder();
    for (Resource resource : resources) {
      String base =
          Discovery.path(version)
              + (resource.isNamespaced() ? "/namespaces/{namespace}/" : "/")
              + resource.plural();
      paths.put(base + "/{name}", JsonObject.of("patch", patch(resource)));
    }
    return new JsonObject.Builder()
        .put("openapi", "3.0.0")
        .put(
            "info",
            new JsonObject.Builder().put("title", "Berth").put("version", "v1.36.0").build())
        .put("paths", paths.build())
        .build();
  }

  private static JsonObject patch(Resource resource) {
    List<JsonObject> parameters =
        PATCH_PARAMETERS.stream()
            .map(name ->
                new JsonObject.Builder()
                    .put("name", name)
                    .put("in", "query")
                    .put("schema", JsonObject.of("type", "string"))
                    .build())
            .toList();
    JsonObject kind =
        new JsonObject.Builder()
            .put("group", resource.kind().group())
            .put("kind", resource.kind().kind())
            .put("version", resource.kind().version())
            .build();
    return new JsonObject.Builder()
        .put("parameters", JsonArray.copyOf(parameters))
        .put("responses", JsonObject.EMPTY)
        .put("x-kubernetes-group-version-kind", kind)
        .build();
  }
}
