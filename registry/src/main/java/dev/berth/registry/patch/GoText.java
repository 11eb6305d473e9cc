package dev.berth.registry.patch;

import static java.util.stream.Collectors.joining;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * Trees as Go prints them, {@code map[name:web ports:[80]]}, because that is how they stand in the
 * error messages that users of Kubernetes know and search for.
 */
final class GoText {
  private GoText() {}

  static String of(Object tree) {
    return switch (tree) {
      case JsonNull _ -> "<nil>";
      case JsonArray array -> of(array.values());
      case JsonObject object ->
          object.names().stream()
              .sorted()
              .map(name -> name + ":" + of(field(object, name)))
              .collect(joining(" ", "map[", "]"));
      case Object scalar -> scalar.toString();
    };
  }

  static String of(List<?> trees) {
    return trees.stream().map(GoText::of).collect(joining(" ", "[", "]"));
  }

  /** The type that Go gives to a value of a document. */
  static String type(Object tree) {
    return switch (tree) {
      case JsonObject _ -> "map[string]interface {}";
      case JsonArray _ -> "[]interface {}";
      case String _ -> "string";
      case Boolean _ -> "bool";
      case Long _ -> "int64";
      case JsonNull _ -> "%!s(<nil>)";
      default -> "float64";
    };
  }

  private static Object field(JsonObject object, String name) {
    Object value = object.get(name);
    return value == null ? JsonNull.NULL : value;
  }
}
