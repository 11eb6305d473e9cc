package dev.berth.serving.rest;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.Objects;
import java.util.stream.Collectors;

/** Trees as Go prints them, which is how Kubernetes shows some in its messages. */
final class GoText {
  private GoText() {}

  static String of(Object value) {
    return switch (value) {
      case JsonObject object ->
          object.names().stream()
              .sorted()
              .map(name -> name + ":" + of(Objects.requireNonNull(object.get(name))))
              .collect(Collectors.joining(" ", "map[", "]"));
      case JsonArray array ->
          array.values().stream().map(GoText::of).collect(Collectors.joining(" ", "[", "]"));
      case JsonNull _ -> "<nil>";
      default -> value.toString();
    };
  }
}
