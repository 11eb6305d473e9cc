package dev.berth.model.resource;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A value as messages show it, in the order in which Kubernetes' server writes it, however the
 * client did: maps by their keys, selectors by the order of their fields.
 */
final class ShownValue {
  /** Fields whose value is a map, in whatever object they stand. */
  private static final Set<String> MAPS =
      Set.of(
          "annotations",
          "data",
          "hard",
          "labels",
          "limits",
          "matchLabels",
          "nodeSelector",
          "options",
          "parameters",
          "podFixed",
          "requests",
          "volumeAttributes");

  private static final List<List<String>> TYPES =
      List.of(List.of("matchLabels", "matchExpressions"), List.of("key", "operator", "values"));

  private ShownValue() {}

  /**
   * @param field where the value stands; one element of a map is shown with all of the map
   */
  static String of(String field, Object value) {
    if (!(value instanceof JsonObject) && !(value instanceof JsonArray)) {
      return JsonWriter.toText(value);
    }
    String last = field.replaceFirst("\\[[^\\[]*]$", "").replaceFirst("^.*\\.", "");
    return JsonWriter.toText(ordered(last, value))
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026");
  }

  private static Object ordered(String name, Object value) {
    return switch (value) {
      case JsonArray array ->
          JsonArray.copyOf(array.values().stream().map(each -> ordered("", each)).toList());
      case JsonObject object -> ordered(name, object);
      default -> value;
    };
  }

  private static JsonObject ordered(String name, JsonObject object) {
    JsonObject.Builder ordered = new JsonObject.Builder();
    for (String field : names(name, object)) {
      ordered.put(field, ordered(field, Objects.requireNonNull(object.get(field))));
    }
    return ordered.build();
  }

  private static List<String> names(String name, JsonObject object) {
    List<String> names = object.names();
    if (MAPS.contains(name)) {
      return names.stream().sorted().toList();
    }
    return TYPES.stream()
        .filter(type -> type.containsAll(names))
        .findFirst()
        .map(type -> type.stream().filter(names::contains).toList())
        .orElse(names);
  }
}
