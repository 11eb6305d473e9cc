package dev.berth.serving.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.NameRules;
import dev.berth.registry.status.Failures;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the path of a request refers to. Paths are read as they were sent; nothing is normalised, so
 * that whoever checks a path and whoever serves it see the same.
 */
public sealed interface RequestPath {

  /**
   * Objects: {@code /api/v1/namespaces/ns/pods/name/sub}.
   *
   * @param namespace empty if the path names none
   * @param name empty for a collection
   * @param subresource empty for the object itself
   */
  record OfResource(
      GroupVersion version, String namespace, String resource, String name, String subresource)
      implements RequestPath {}

  /** Something else, such as {@code /version}. */
  record Other(String path) implements RequestPath {}

  /** The step of old paths that watch, before the resource. */
  String WATCH = "/watch/";

  static boolean isNamespaces(String group, String resource) {
    return group.isEmpty() && resource.equals("namespaces");
  }

  /**
   * The path of what an old path watches, {@code /api/v1/pods} for {@code /api/v1/watch/pods};
   * empty for all others.
   */
  static Optional<String> watched(String path) {
    int steps = path.startsWith("/api/") ? 3 : path.startsWith("/apis/") ? 4 : 0;
    int slash = 0;
    for (int i = 1; i < steps && slash >= 0; i++) {
      slash = path.indexOf('/', slash + 1);
    }
    return steps > 0 && slash > 0 && path.startsWith(WATCH, slash)
        ? Optional.of(path.substring(0, slash + 1) + path.substring(slash + WATCH.length()))
        : Optional.empty();
  }

  static RequestPath parse(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1)) {
      parts.add(decoded(part));
    }
    if (!parts.isEmpty() && parts.getLast().isEmpty()) {
      parts.removeLast();
    }
    // No object has such a name, and whoever takes it for a step in a path would be led astray.
    // What
    // follows a proxy is a path of another server, which may be anything.
    GroupVersion version = isMalformed(parts) ? null : version(parts);
    if (version == null) {
      return new Other(path);
    }
    List<String> rest = parts.subList(version.group().isEmpty() ? 2 : 3, parts.size());
    if (rest.isEmpty()) {
      return new Other(path);
    }
    if (rest.getFirst().equals("namespaces") && rest.size() > 1) {
      boolean ofNamespace =
          rest.size() == 2
              || (rest.size() == 3
                  && (rest.get(2).equals("status") || rest.get(2).equals("finalize")));
      return ofNamespace
          ? resource(version, rest.get(1), rest)
          : resource(version, rest.get(1), rest.subList(2, rest.size()));
    }
    return resource(version, "", rest);
  }

  private static boolean isMalformed(List<String> parts) {
    for (String part : parts.subList(0, ownSteps(parts))) {
      if (part.isEmpty() || !NameRules.pathSegment(part).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static int ownSteps(List<String> parts) {
    for (int proxy : new int[] {4, 6}) {
      boolean here = parts.size() > proxy && parts.get(proxy).equals("proxy");
      if (here
          && parts.getFirst().equals("api")
          && (proxy == 6) == parts.get(2).equals("namespaces")) {
        return proxy + 1;
      }
    }
    return parts.size();
  }

  private static @Nullable GroupVersion version(List<String> parts) {
    if (parts.size() >= 2 && parts.getFirst().equals("api")) {
      return new GroupVersion("", parts.get(1));
    }
    return parts.size() >= 3 && parts.getFirst().equals("apis")
        ? new GroupVersion(parts.get(1), parts.get(2))
        : null;
  }

  private static RequestPath resource(GroupVersion version, String namespace, List<String> rest) {
    return new OfResource(
        version,
        namespace,
        rest.getFirst(),
        rest.size() > 1 ? rest.get(1) : "",
        rest.size() > 2 ? String.join("/", rest.subList(2, rest.size())) : "");
  }

  private static String decoded(String part) {
    if (part.indexOf('%') < 0) {
      return part;
    }
    try {
      // A plus sign is itself in a path.
      return URLDecoder.decode(part.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      throw Failures.badRequest("the path holds a malformed escape: " + part);
    }
  }
}
