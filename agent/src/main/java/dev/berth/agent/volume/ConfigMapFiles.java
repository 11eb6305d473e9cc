package dev.berth.agent.volume;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files that a config map or a secret becomes: one for each key, or one for each of the keys
 * that are listed, at the path and with the permissions that the list gives.
 */
final class ConfigMapFiles {
  private ConfigMapFiles() {}

  /**
   * @param items the keys that are wanted; all if empty
   * @param optional whether a key may be missing
   */
  static Map<String, ProjectedFile> ofConfigMap(
      JsonObject configMap, JsonArray items, int defaultMode, boolean optional)
      throws SetUpException {
    Map<String, byte[]> contents = decode(configMap.object("binaryData"));
    configMap
        .object("data")
        .toStrings()
        .forEach((key, text) -> contents.put(key, text.getBytes(UTF_8)));
    return select(
        contents, items, defaultMode, optional, "configmap references non-existent config key: ");
  }

  static Map<String, ProjectedFile> ofSecret(
      JsonObject secret, JsonArray items, int defaultMode, boolean optional) throws SetUpException {
    return select(
        decode(secret.object("data")),
        items,
        defaultMode,
        optional,
        "references non-existent secret key: ");
  }

  private static Map<String, byte[]> decode(JsonObject data) throws SetUpException {
    Map<String, byte[]> contents = new TreeMap<>();
    for (Map.Entry<String, String> entry : data.toStrings().entrySet()) {
      try {
        contents.put(entry.getKey(), Base64.getDecoder().decode(entry.getValue()));
      } catch (IllegalArgumentException e) {
        throw new SetUpException("the value of the key " + entry.getKey() + " is no base64", e);
      }
    }
    return contents;
  }

  private static Map<String, ProjectedFile> select(
      Map<String, byte[]> contents,
      JsonArray items,
      int defaultMode,
      boolean optional,
      String missing)
      throws SetUpException {
    Map<String, ProjectedFile> files = new TreeMap<>();
    if (items.isEmpty()) {
      contents.forEach((key, content) -> files.put(key, new ProjectedFile(content, defaultMode)));
      return files;
    }
    for (JsonObject item : items.objects()) {
      String key = item.text("key", "");
      Optional<byte[]> content = Optional.ofNullable(contents.get(key));
      if (content.isPresent()) {
        int mode = (int) item.integer("mode").orElse(defaultMode);
        files.put(item.text("path", ""), new ProjectedFile(content.get(), mode));
      } else if (!optional) {
        throw new SetUpException(missing + key);
      }
    }
    return files;
  }
}
