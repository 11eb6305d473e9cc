package dev.berth.serving.discovery;

import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** The resources of one version, in the old form of discovery. */
final class ResourceLists {
  private ResourceLists() {}

  static JsonObject of(GroupVersion version, List<Resource> resources) {
    List<JsonObject> entries = new ArrayList<>();
    for (Resource resource : resources) {
      entries.add(entry(resource));
      for (Subresource subresource : resource.subresources()) {
        entries.add(entry(resource, subresource));
      }
    }
    return new JsonObject.Builder()
        .put("kind", "APIResourceList")
        .put("apiVersion", "v1")
        .put("groupVersion", version.toString())
        .put("resources", JsonArray.copyOf(entries))
        .build();
  }

  private static JsonObject entry(Resource resource) {
    JsonObject.Builder entry =
        new JsonObject.Builder()
            .put("name", resource.plural())
            .put("singularName", resource.singular())
            .put("namespaced", resource.isNamespaced())
            .put("kind", resource.kind().kind())
            .put("verbs", JsonArray.copyOf(resource.verbs()));
    if (!resource.shortNames().isEmpty()) {
      entry.put("shortNames", JsonArray.copyOf(resource.shortNames()));
    }
    if (!resource.categories().isEmpty()) {
      entry.put("categories", JsonArray.copyOf(resource.categories()));
    }
    return entry.build();
  }

  private static JsonObject entry(Resource resource, Subresource subresource) {
    JsonObject.Builder entry =
        new JsonObject.Builder()
            .put("name", resource.plural() + "/" + subresource.name())
            .put("singularName", "")
            .put("namespaced", resource.isNamespaced());
    GroupVersionKind kind = subresource.kind();
    if (!kind.groupVersion().equals(resource.kind().groupVersion())) {
      entry.put("group", kind.group()).put("version", kind.version());
    }
    return entry
        .put("kind", kind.kind())
        .put("verbs", JsonArray.copyOf(subresource.verbs()))
        .build();
  }
}
