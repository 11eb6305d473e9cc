package dev.berth.serving.discovery;

import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.serving.wire.EntityTag;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Discovery in one document, for clients that ask for it. */
final class Aggregated {
  private static final List<String> VERSIONS = List.of("v2", "v2beta1");

  private final Items core;
  private final Items groups;

  /** Their tag is made when somebody asks, since many definitions may come at once. */
  private static final class Items {
    private final JsonArray array;
    private volatile @Nullable String tag;

    Items(JsonArray array) {
      this.array = array;
    }

    /** Two who ask at once make the same. */
    String tag() {
      String made = tag;
      if (made == null) {
        made = EntityTag.quoted(EntityTag.hash(JsonWriter.toBytes(array)));
        tag = made;
      }
      return made;
    }
  }

  Aggregated(Catalog catalog) {
    core = new Items(groups(catalog, String::isEmpty));
    groups = new Items(groups(catalog, group -> !group.isEmpty()));
  }

  /** The document, if the first type that the client accepts is its. */
  Optional<Response> answer(String path, List<String> accept) {
    for (String range : String.join(",", accept).split(",", -1)) {
      String type = range.replace(" ", "").toLowerCase(Locale.ROOT);
      if (type.equals("application/json") || type.startsWith("application/json;q")) {
        return Optional.empty();
      }
      for (String version : VERSIONS) {
        boolean asked =
            type.startsWith("application/json;")
                && type.contains(";g=apidiscovery.k8s.io")
                && (type.contains(";v=" + version + ";") || type.endsWith(";v=" + version))
                && type.contains(";as=apigroupdiscoverylist");
        if (asked) {
          return Optional.of(response(version, path.equals("/api") ? core : groups));
        }
      }
    }
    return Optional.empty();
  }

  /** The tag is the same in each version: clients tell these apart by their type. */
  private static Response response(String version, Items items) {
    String type =
        "application/json;g=apidiscovery.k8s.io;v=%s;as=APIGroupDiscoveryList".formatted(version);
    return new Response(
        200,
        Headers.of("Content-Type", type)
            .with("Cache-Control", "public")
            .with("ETag", items.tag())
            .with("Vary", "Accept"),
        List.of(JsonWriter.toBytes(document(version, items.array))));
  }

  private static JsonObject document(String version, JsonArray items) {
    return new JsonObject.Builder()
        .put("kind", "APIGroupDiscoveryList")
        .put("apiVersion", "apidiscovery.k8s.io/" + version)
        .put("metadata", JsonObject.EMPTY)
        .put("items", items)
        .build();
  }

  private static JsonArray groups(Catalog catalog, Predicate<String> wanted) {
    List<JsonObject> items =
        catalog.versions().stream()
            .map(GroupVersion::group)
            .distinct()
            .filter(wanted)
            .map(group -> group(catalog, group))
            .toList();
    return JsonArray.copyOf(items);
  }

  private static JsonObject group(Catalog catalog, String group) {
    List<JsonObject> versions =
        catalog.versions().stream()
            .filter(version -> version.group().equals(group))
            .map(version ->
                new JsonObject.Builder()
                    .put("version", version.version())
                    .put(
                        "resources",
                        JsonArray.copyOf(
                            catalog.resources(version).stream().map(Aggregated::resource).toList()))
                    .put("freshness", "Current")
                    .build())
            .toList();
    JsonObject metadata = group.isEmpty() ? JsonObject.EMPTY : JsonObject.of("name", group);
    return new JsonObject.Builder()
        .put("metadata", metadata)
        .put("versions", JsonArray.copyOf(versions))
        .build();
  }

  private static JsonObject resource(Resource resource) {
    JsonObject.Builder entry =
        new JsonObject.Builder()
            .put("resource", resource.plural())
            .put("responseKind", kind(resource.kind(), resource))
            .put("scope", resource.isNamespaced() ? "Namespaced" : "Cluster")
            .put("singularResource", resource.singular())
            .put("verbs", JsonArray.copyOf(resource.verbs()));
    if (!resource.shortNames().isEmpty()) {
      entry.put("shortNames", JsonArray.copyOf(resource.shortNames()));
    }
    if (!resource.categories().isEmpty()) {
      entry.put("categories", JsonArray.copyOf(resource.categories()));
    }
    if (!resource.subresources().isEmpty()) {
      List<JsonObject> subresources =
          resource.subresources().stream().map(s -> subresource(s, resource)).toList();
      entry.put("subresources", JsonArray.copyOf(subresources));
    }
    return entry.build();
  }

  private static JsonObject subresource(Subresource subresource, Resource resource) {
    return new JsonObject.Builder()
        .put("subresource", subresource.name())
        .put("responseKind", kind(subresource.kind(), resource))
        .put("verbs", JsonArray.copyOf(subresource.verbs()))
        .build();
  }

  /** Of what is built in, group and version are told where they are not the resource's own. */
  private static JsonObject kind(GroupVersionKind kind, Resource of) {
    boolean told = of.custom().isPresent() || !kind.apiVersion().equals(of.kind().apiVersion());
    return new JsonObject.Builder()
        .put("group", told ? kind.group() : "")
        .put("version", told ? kind.version() : "")
        .put("kind", kind.kind())
        .build();
  }
}
