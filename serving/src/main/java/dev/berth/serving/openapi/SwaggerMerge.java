package dev.berth.serving.openapi;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds what other servers' documents say to an OpenAPI 2 document. A path that is there already
 * stays as it is. A definition of another content under a name that is taken gets another name,
 * with {@code _v2} and so on behind it, as upstream names it.
 */
final class SwaggerMerge {
  private static final String DEFINITIONS = "#/definitions/";

  private SwaggerMerge() {}

  static JsonObject merge(JsonObject own, Iterable<JsonObject> others) {
    Map<String, Object> paths = new LinkedHashMap<>();
    own.object("paths").forEach(paths::put);
    Map<String, Object> definitions = new LinkedHashMap<>();
    own.object("definitions").forEach(definitions::put);
    for (JsonObject other : others) {
      Map<String, String> names = names(other.object("definitions"), definitions);
      other
          .object("definitions")
          .forEach((name, definition) ->
              definitions.putIfAbsent(names.getOrDefault(name, name), renamed(definition, names)));
      other.object("paths").forEach((path, item) -> paths.putIfAbsent(path, renamed(item, names)));
    }
    return own.with("paths", built(paths)).with("definitions", built(definitions));
  }

  private static JsonObject built(Map<String, Object> fields) {
    JsonObject.Builder object = new JsonObject.Builder();
    fields.forEach(object::put);
    return object.build();
  }

  /** The names of those definitions that cannot keep theirs. */
  private static Map<String, String> names(JsonObject added, Map<String, Object> known) {
    Map<String, String> names = new HashMap<>();
    added.forEach((name, definition) -> {
      Object taken = known.get(name);
      if (taken != null && !taken.equals(definition)) {
        int number = 2;
        while (known.containsKey(name + "_v" + number) || added.has(name + "_v" + number)) {
          number++;
        }
        names.put(name, name + "_v" + number);
      }
    });
    return names;
  }

  private static Object renamed(Object tree, Map<String, String> names) {
    if (names.isEmpty()) {
      return tree;
    }
    return switch (tree) {
      case JsonObject object -> {
        JsonObject.Builder changed = new JsonObject.Builder();
        object.forEach((name, value) -> changed.put(name, value(name, value, names)));
        yield changed.build();
      }
      case JsonArray array -> {
        List<Object> changed = new ArrayList<>();
        array.values().forEach(value -> changed.add(renamed(value, names)));
        yield JsonArray.copyOf(changed);
      }
      default -> tree;
    };
  }

  private static Object value(String name, Object value, Map<String, String> names) {
    if (name.equals("$ref") && value instanceof String ref && ref.startsWith(DEFINITIONS)) {
      String definition = ref.substring(DEFINITIONS.length());
      return DEFINITIONS + names.getOrDefault(definition, definition);
    }
    return renamed(value, names);
  }
}
