package dev.berth.kinds.pod;

import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Files of one volume that are in each other's way: of the same path, or one where the other has a
 * directory.
 */
final class OverlappingPaths {
  private record SourcedPath(String path, String source) {
    @Override
    public String toString() {
      return source.isEmpty() ? "\"" + path + "\"" : "\"%s\" (%s)".formatted(path, source);
    }
  }

  private OverlappingPaths() {}

  static void add(JsonObject volume, List<String> warnings) {
    String name = volume.text("name", "");
    JsonObject configMap = volume.object("configMap");
    if (configMap.has("items")) {
      String kind = "ConfigMap \"%s\"".formatted(configMap.text("name", ""));
      report(name, kind, items(configMap, ""), warnings);
    }
    JsonObject secret = volume.object("secret");
    if (secret.has("items")) {
      String kind = "Secret \"%s\"".formatted(secret.text("secretName", ""));
      report(name, kind, items(secret, ""), warnings);
    }
    report(name, "DownwardAPI", items(volume.object("downwardAPI"), ""), warnings);
    List<SourcedPath> projected = new ArrayList<>();
    for (JsonObject source : volume.object("projected").array("sources").objects()) {
      if (source.isEmpty()) {
        warnings.add("volume \"%s\" (Projected) has no sources provided".formatted(name));
      }
      projected.addAll(paths(source));
    }
    report(name, "Projected", projected, warnings);
  }

  /** What one source of a projected volume brings: that of the first kind that it names. */
  private static List<SourcedPath> paths(JsonObject source) {
    if (source.object("configMap").has("items")) {
      JsonObject map = source.object("configMap");
      return items(map, "ConfigMap \"%s\"".formatted(map.text("name", "")));
    }
    if (source.object("secret").has("items")) {
      JsonObject secret = source.object("secret");
      return items(secret, "Secret \"%s\"".formatted(secret.text("name", "")));
    }
    if (source.object("downwardAPI").has("items")) {
      return items(source.object("downwardAPI"), "DownwardAPI");
    }
    if (source.has("serviceAccountToken")) {
      JsonObject token = source.object("serviceAccountToken");
      return List.of(sourced(token, "path", "ServiceAccountToken"));
    }
    if (source.has("clusterTrustBundle")) {
      JsonObject bundle = source.object("clusterTrustBundle");
      String name = bundle.text("name", bundle.text("signerName", ""));
      return List.of(sourced(bundle, "path", "ClusterTrustBundle \"%s\"".formatted(name)));
    }
    JsonObject certificate = source.object("podCertificate");
    return List.of(
        sourced(certificate, "certificateChainPath", "PodCertificate chain"),
        sourced(certificate, "keyPath", "PodCertificate key"),
        sourced(certificate, "credentialBundlePath", "PodCertificate credential bundle"));
  }

  private static SourcedPath sourced(JsonObject from, String field, String source) {
    return new SourcedPath(trimmed(from.text(field, "")), source);
  }

  private static List<SourcedPath> items(JsonObject from, String source) {
    return from.array("items").objects().stream()
        .map(item -> new SourcedPath(trimmed(item.text("path", "")), source))
        .toList();
  }

  private static void report(
      String volume, String kind, List<SourcedPath> paths, List<String> warnings) {
    NavigableMap<String, List<Integer>> before = new TreeMap<>();
    for (int i = 0; i < paths.size() && warnings.size() < ObjectWarnings.MOST; i++) {
      SourcedPath path = paths.get(i);
      if (path.path.isEmpty()) {
        continue;
      }
      for (int other : overlapping(path.path, before)) {
        warnings.add(
            "volume \"%s\" (%s): overlapping paths: %s with %s"
                .formatted(volume, kind, path, paths.get(other)));
      }
      before.computeIfAbsent(path.path, _ -> new ArrayList<>()).add(i);
    }
  }

  /** Which of the paths before one are above it, below it or the same, in their own order. */
  private static NavigableSet<Integer> overlapping(
      String path, NavigableMap<String, List<Integer>> before) {
    NavigableSet<Integer> found = new TreeSet<>(before.getOrDefault(path, List.of()));
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      found.addAll(before.getOrDefault(path.substring(0, slash), List.of()));
    }
    // The character after the slash is 0.
    before.subMap(path + "/", path + "0").values().forEach(found::addAll);
    return found;
  }

  private static String trimmed(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    return path.substring(0, end);
  }
}
