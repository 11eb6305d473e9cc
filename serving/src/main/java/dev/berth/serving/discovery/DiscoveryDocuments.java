package dev.berth.serving.discovery;

import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.kinds.resource.Catalog;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Answers the paths of discovery, in the old form (one document per version) and in the aggregated
 * one (one document for all): all is known from the start.
 */
public final class DiscoveryDocuments {
  private static final String JSON = "application/json";

  /** What else is served, for the document at the root. */
  private static final List<String> OTHERS =
      List.of(
          "/.well-known/openid-configuration",
          "/healthz",
          "/livez",
          "/metrics",
          "/openapi/v2",
          "/openapi/v3",
          "/openid/v1/jwks",
          "/readyz",
          "/version");

  private final Map<String, JsonObject> documents = new LinkedHashMap<>();
  private final Aggregated aggregated;

  public DiscoveryDocuments(Catalog catalog) {
    aggregated = new Aggregated(catalog);
    documents.put("/api", versions(catalog));
    documents.put("/apis", groups(catalog));
    for (GroupVersion version : catalog.versions()) {
      documents.put(path(version), ResourceLists.of(version, catalog.resources(version)));
      if (!version.group().isEmpty()) {
        documents.putIfAbsent(
            "/apis/" + version.group(), standalone(group(catalog, version.group())));
      }
    }
    TreeSet<String> paths = new TreeSet<>(documents.keySet());
    paths.addAll(OTHERS);
    documents.put("", JsonObject.of("paths", JsonArray.copyOf(List.copyOf(paths))));
  }

  static String path(GroupVersion version) {
    return (version.group().isEmpty() ? "/api/" : "/apis/") + version;
  }

  /** The document at a path, if it is one of discovery's. */
  public Optional<Response> answer(String rawPath, List<String> accept) {
    String path = withoutSlash(rawPath);
    if (path.equals("/api") || path.equals("/apis")) {
      Optional<Response> whole = aggregated.answer(path, accept);
      if (whole.isPresent()) {
        return whole;
      }
    }
    return document(path).map(document -> response(JSON, document));
  }

  /** The same as a tree, for whoever asks from within this process. */
  public Optional<JsonObject> document(String rawPath) {
    return Optional.ofNullable(documents.get(withoutSlash(rawPath)));
  }

  private static String withoutSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  static Response response(String contentType, JsonObject document) {
    return new Response(
        200,
        Headers.of("Content-Type", contentType).with("Cache-Control", "no-cache, private"),
        List.of(JsonWriter.toBytes(document)));
  }

  private static JsonObject versions(Catalog catalog) {
    List<String> core =
        catalog.versions().stream()
            .filter(version -> version.group().isEmpty())
            .map(GroupVersion::version)
            .toList();
    return new JsonObject.Builder()
        .put("kind", "APIVersions")
        .put("versions", JsonArray.copyOf(core))
        .put("serverAddressByClientCIDRs", JsonArray.EMPTY)
        .build();
  }

  private static JsonObject groups(Catalog catalog) {
    List<JsonObject> groups =
        catalog.versions().stream()
            .map(GroupVersion::group)
            .filter(group -> !group.isEmpty())
            .distinct()
            .map(group -> group(catalog, group))
            .toList();
    return new JsonObject.Builder()
        .put("kind", "APIGroupList")
        .put("apiVersion", "v1")
        .put("groups", JsonArray.copyOf(groups))
        .build();
  }

  private static JsonObject group(Catalog catalog, String name) {
    List<JsonObject> versions =
        catalog.versions().stream()
            .filter(version -> version.group().equals(name))
            .map(version ->
                new JsonObject.Builder()
                    .put("groupVersion", version.toString())
                    .put("version", version.version())
                    .build())
            .toList();
    return new JsonObject.Builder()
        .put("name", name)
        .put("versions", JsonArray.copyOf(versions))
        .put("preferredVersion", versions.getFirst())
        .build();
  }

  private static JsonObject standalone(JsonObject group) {
    JsonObject.Builder whole =
        new JsonObject.Builder().put("kind", "APIGroup").put("apiVersion", "v1");
    group.forEach(whole::put);
    return whole.build();
  }
}
