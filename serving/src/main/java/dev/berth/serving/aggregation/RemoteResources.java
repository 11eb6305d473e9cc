package dev.berth.serving.aggregation;

import dev.berth.kinds.resource.Catalog;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What resources other servers have, as they last said, for discovery. For any thread. */
public final class RemoteResources {
  private volatile Map<GroupVersion, JsonObject> lists = Map.of();
  private volatile Map<GroupVersion, RemoteOpenApi> documents = Map.of();

  /** A server answered with its APIResourceList, and perhaps with its documents. */
  public synchronized void learned(RemoteApi api, JsonObject resources, RemoteOpenApi openApi) {
    if (!openApi.equals(documents.get(api.version()))) {
      Map<GroupVersion, RemoteOpenApi> more = new HashMap<>(documents);
      more.put(api.version(), openApi);
      documents = Map.copyOf(more);
    }
    if (!resources.equals(lists.get(api.version()))) {
      Map<GroupVersion, JsonObject> more = new HashMap<>(lists);
      more.put(api.version(), resources);
      lists = Map.copyOf(more);
    }
  }

  /** All but these are gone. */
  public synchronized void retain(Collection<RemoteApi> apis) {
    List<GroupVersion> versions = apis.stream().map(RemoteApi::version).toList();
    if (!versions.containsAll(lists.keySet())) {
      Map<GroupVersion, JsonObject> fewer = new HashMap<>(lists);
      fewer.keySet().retainAll(versions);
      lists = Map.copyOf(fewer);
      Map<GroupVersion, RemoteOpenApi> left = new HashMap<>(documents);
      left.keySet().retainAll(versions);
      documents = Map.copyOf(left);
    }
  }

  /** The documents that are known now; another object whenever they are others. */
  Map<GroupVersion, RemoteOpenApi> documents() {
    return documents;
  }

  /** What is known now; another object whenever it is something else. */
  Map<GroupVersion, JsonObject> known() {
    return lists;
  }

  /** A catalog with what other servers have, instead of what it has of the same versions. */
  static Catalog with(Catalog catalog, Map<GroupVersion, JsonObject> remote) {
    if (remote.isEmpty()) {
      return catalog;
    }
    List<Resource> all = new ArrayList<>();
    for (GroupVersion version : catalog.versions()) {
      if (!remote.containsKey(version)) {
        all.addAll(catalog.resources(version));
      }
    }
    remote.forEach((version, list) -> all.addAll(resources(version, list)));
    return new Catalog(all);
  }

  /** An APIResourceList names parts of a resource after it, with a slash. */
  private static List<Resource> resources(GroupVersion version, JsonObject list) {
    List<JsonObject> entries = list.array("resources").objects();
    return entries.stream()
        .filter(entry -> !name(entry).contains("/"))
        .map(entry -> resource(version, entry, entries))
        .toList();
  }

  private static String name(JsonObject entry) {
    return entry.text("name", "");
  }

  private static Resource resource(
      GroupVersion version, JsonObject entry, List<JsonObject> entries) {
    String kind = entry.text("kind", "");
    Resource.Builder resource =
        entry.flag("namespaced", false)
            ? Resource.namespaced(version.group(), version.version(), kind)
            : Resource.clusterWide(version.group(), version.version(), kind);
    resource
        .plural(name(entry))
        .shortNames(entry.array("shortNames").texts().toArray(String[]::new))
        .categories(entry.array("categories").texts().toArray(String[]::new))
        .remote(entry.array("verbs").texts());
    String prefix = name(entry) + "/";
    for (JsonObject part : entries) {
      if (name(part).startsWith(prefix)) {
        resource.subresource(
            name(part).substring(prefix.length()),
            new GroupVersionKind(
                part.text("group", version.group()),
                part.text("version", version.version()),
                part.text("kind", kind)),
            part.array("verbs").texts().toArray(String[]::new));
      }
    }
    return resource.build();
  }
}
