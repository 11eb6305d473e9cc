package dev.berth.controllers.podautoscaler;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Discovery;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the resource of a kind, in the version that the server prefers, by discovery. What was
 * found is remembered for as long as upstream does.
 *
 * <p>Its methods block, and are for calls beside the loop.
 */
final class KindResolver {
  private static final Duration REMEMBERED = Duration.ofSeconds(30);

  private final Api api;
  private final Time time;
  private final Map<GroupKind, Known> known = new ConcurrentHashMap<>();

  private record Known(GroupVersionResource resource, Instant until) {}

  /** What comes of it. */
  sealed interface Resolved {
    record Found(GroupVersionResource resource) implements Resolved {}

    record Failed(String why) implements Resolved {}
  }

  KindResolver(Api api, Time time) {
    this.api = api;
    this.time = time;
  }

  Resolved resolve(GroupKind kind) {
    Instant now = time.monotonicNow();
    Known last = known.get(kind);
    if (last != null && now.isBefore(last.until)) {
      return new Resolved.Found(last.resource);
    }
    known.remove(kind);
    Resolved resolved;
    try {
      resolved = ask(kind);
    } catch (JsonException | IllegalArgumentException e) {
      // Servers that answer for groups of their own may say anything.
      return new Resolved.Failed(String.valueOf(e.getMessage()));
    }
    if (resolved instanceof Resolved.Found(GroupVersionResource resource)) {
      known.put(kind, new Known(resource, now.plus(REMEMBERED)));
    }
    return resolved;
  }

  private Resolved ask(GroupKind kind) {
    List<String> versions = new ArrayList<>();
    if (kind.group().isEmpty()) {
      versions.add("v1");
    } else {
      switch (api.send(new ApiRequest.Discover("/apis/" + kind.group()))) {
        case ApiResult.Done(JsonObject group) -> versions.addAll(versions(group));
        case ApiResult.Failure failure when failure.isNotFound() -> {
          return noMatch(kind);
        }
        case ApiResult.Failure failure -> {
          return new Resolved.Failed(failure.message());
        }
      }
    }
    for (String version : versions) {
      String path = version.indexOf('/') < 0 ? "/api/" : "/apis/";
      switch (api.send(new ApiRequest.Discover(path + version))) {
        case ApiResult.Done(JsonObject served) -> {
          String plural = Discovery.plural(served, kind.kind());
          if (!plural.isEmpty()) {
            return new Resolved.Found(GroupVersion.parse(version).resource(plural));
          }
        }
        case ApiResult.Failure failure when failure.isNotFound() -> {
          // The version has gone meanwhile.
        }
        case ApiResult.Failure failure -> {
          return new Resolved.Failed(failure.message());
        }
      }
    }
    return noMatch(kind);
  }

  /** All versions of a group, the preferred one first. */
  static List<String> versions(JsonObject group) {
    List<String> versions = new ArrayList<>();
    String preferred = group.object("preferredVersion").text("groupVersion", "");
    if (!preferred.isEmpty()) {
      versions.add(preferred);
    }
    for (JsonObject version : group.array("versions").objects()) {
      String name = version.text("groupVersion", "");
      if (!name.isEmpty() && !name.equals(preferred)) {
        versions.add(name);
      }
    }
    return versions;
  }

  private static Resolved noMatch(GroupKind kind) {
    return new Resolved.Failed(
        "no matches for kind \"%s\" in group \"%s\"".formatted(kind.kind(), kind.group()));
  }
}
