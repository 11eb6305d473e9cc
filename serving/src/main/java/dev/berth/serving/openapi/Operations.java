package dev.berth.serving.openapi;

import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes what can be done with resources, as OpenAPI's paths. */
final class Operations {
  private final OperationBodies bodies;
  private final Parameters parameters;
  private final Map<String, JsonObject.Builder> paths = new LinkedHashMap<>();

  /** Whether somebody defined the resource that is being added. */
  private boolean custom;

  Operations(Dialect dialect, Definitions definitions) {
    this.bodies = new OperationBodies(dialect, definitions);
    this.parameters = new Parameters(dialect);
  }

  JsonObject build() {
    JsonObject.Builder all = new JsonObject.Builder();
    paths.forEach((path, item) -> all.put(path, item.build()));
    return all.build();
  }

  static JsonObject kind(GroupVersionKind kind) {
    return new JsonObject.Builder()
        .put("group", kind.group())
        .put("kind", kind.kind())
        .put("version", kind.version())
        .build();
  }

  static String root(GroupVersion version) {
    return (version.group().isEmpty() ? "/api/" : "/apis/") + version;
  }

  void add(Resource resource) {
    custom = resource.custom().isPresent();
    String root = root(resource.kind().groupVersion());
    boolean namespaced = resource.isNamespaced();
    String collection = root + (namespaced ? "/namespaces/{namespace}/" : "/") + resource.plural();
    Naming naming = new Naming(resource);
    GroupVersionKind kind = resource.kind();
    for (String verb : resource.verbs()) {
      switch (verb) {
        case "list" -> {
          put(collection, "get", naming.of("list"), "list", kind);
          if (namespaced) {
            put(root + "/" + resource.plural(), "get", naming.ofAllNamespaces(), "list", kind);
          }
        }
        case "create" -> put(collection, "post", naming.of("create"), "post", kind);
        case "deletecollection" ->
            put(collection, "delete", naming.ofCollection(), "deletecollection", kind);
        case "get" -> put(collection + "/{name}", "get", naming.of("read"), "get", kind);
        case "update" -> put(collection + "/{name}", "put", naming.of("replace"), "put", kind);
        case "patch" -> put(collection + "/{name}", "patch", naming.of("patch"), "patch", kind);
        case "delete" -> put(collection + "/{name}", "delete", naming.of("delete"), "delete", kind);
        default -> {
          // A watch is a list with a parameter.
        }
      }
    }
    for (Subresource part : resource.subresources()) {
      addPart(collection + "/{name}/" + part.name(), naming, part);
    }
  }

  private void addPart(String path, Naming naming, Subresource part) {
    for (String verb : part.verbs()) {
      switch (verb) {
        case "get" -> put(path, "get", naming.of("read", part), "get", part.kind());
        case "update" -> put(path, "put", naming.of("replace", part), "put", part.kind());
        case "patch" -> put(path, "patch", naming.of("patch", part), "patch", part.kind());
        case "create" -> put(path, "post", naming.of("create", part), "post", part.kind());
        default -> {
          // Others have no operation of their own.
        }
      }
    }
  }

  private void put(
      String path, String method, String operation, String action, GroupVersionKind kind) {
    JsonObject.Builder item = paths.get(path);
    if (item == null) {
      item = new JsonObject.Builder().put("parameters", parameters.ofPath(path));
      paths.put(path, item);
    }
    JsonObject.Builder written =
        new JsonObject.Builder()
            .put("operationId", operation)
            .put("tags", JsonArray.copyOf(List.of(Naming.tag(kind.groupVersion()))));
    bodies.describe(written, parameters.ofAction(action), action, kind, custom);
    written.put("x-kubernetes-action", action).put("x-kubernetes-group-version-kind", kind(kind));
    item.put(method, written.build());
  }
}
