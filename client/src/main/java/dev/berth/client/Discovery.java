package dev.berth.client;

import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which resources a server serves, each in the version that it prefers.
 *
 * @param resources those that could be found out, by group and name
 * @param failures why some could not, by group and version, or by path
 * @param malformed versions that nobody can read, as a server whose extensions are broken has them
 */
public record Discovery(
    List<Served> resources, Map<String, String> failures, List<String> malformed) {

  /**
   * A resource as it is served.
   *
   * @param verbs what can be done with it, such as {@code deletecollection}
   */
  public record Served(
      GroupVersionResource resource, String kind, boolean namespaced, List<String> verbs) {
    public Served {
      verbs = List.copyOf(verbs);
    }

    public boolean can(String verb) {
      return verbs.contains(verb);
    }

    public GroupKind groupKind() {
      return new GroupKind(resource.group(), kind);
    }
  }

  public Discovery {
    resources = List.copyOf(resources);
    failures = Map.copyOf(failures);
    malformed = List.copyOf(malformed);
  }

  /** Asks a server, with a request for each version of each group. May block. */
  public static Discovery read(Api api) {
    return new Reader(api).read();
  }

  /** The resource of a kind, in the list of a version's resources; empty if there is none. */
  public static String plural(JsonObject served, String kind) {
    for (JsonObject resource : served.array("resources").objects()) {
      String name = resource.text("name", "");
      if (resource.text("kind", "").equals(kind) && name.indexOf('/') < 0) {
        return name;
      }
    }
    return "";
  }

  /** Why discovery is not complete, in upstream's words; empty if it is. */
  public Optional<String> problem() {
    if (failures.isEmpty()) {
      return Optional.empty();
    }
    List<String> each = new ArrayList<>();
    new TreeMap<>(failures).forEach((group, why) -> each.add(group + ": " + why));
    return Optional.of(
        "Discovery failed for some groups, %d failing: unable to retrieve the complete list of"
                .formatted(failures.size())
            + " server APIs: "
            + String.join(", ", each));
  }

  private static final class Reader {
    private final Api api;
    private final Map<String, Served> found = new LinkedHashMap<>();
    private final Map<String, String> failures = new TreeMap<>();
    private final List<String> malformed = new ArrayList<>();

    Reader(Api api) {
      this.api = api;
    }

    Discovery read() {
      for (String version : document("/api", "/api").array("versions").texts()) {
        version("/api/" + version, version);
      }
      for (JsonObject group : document("/apis", "/apis").array("groups").objects()) {
        String preferred = group.object("preferredVersion").text("groupVersion", "");
        if (!preferred.isEmpty()) {
          version("/apis/" + preferred, preferred);
        }
        for (JsonObject version : group.array("versions").objects()) {
          String name = version.text("groupVersion", "");
          if (!name.equals(preferred)) {
            version("/apis/" + name, name);
          }
        }
      }
      return new Discovery(List.copyOf(found.values()), failures, malformed);
    }

    private JsonObject document(String path, String what) {
      return switch (api.send(new ApiRequest.Discover(path))) {
        case ApiResult.Done(JsonObject document) -> document;
        case ApiResult.Failure failure -> {
          failures.put(what, failure.message());
          yield JsonObject.EMPTY;
        }
      };
    }

    private void version(String path, String name) {
      GroupVersion version;
      try {
        version = GroupVersion.parse(name);
      } catch (IllegalArgumentException e) {
        malformed.add(String.valueOf(e.getMessage()));
        return;
      }
      try {
        for (JsonObject entry : document(path, name).array("resources").objects()) {
          resource(version, entry);
        }
      } catch (JsonException e) {
        failures.put(name, String.valueOf(e.getMessage()));
      }
    }

    private void resource(GroupVersion version, JsonObject entry) {
      String plural = entry.text("name", "");
      if (plural.isEmpty() || plural.indexOf('/') >= 0) {
        return;
      }
      GroupVersionResource resource = version.resource(plural);
      found.putIfAbsent(
          resource.groupResource().toString(),
          new Served(
              resource,
              entry.text("kind", ""),
              entry.flag("namespaced", false),
              entry.array("verbs").texts()));
    }
  }
}
