package dev.berth.admission;

import dev.berth.model.tree.JsonObject;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Names the fields in which two versions of an object differ, down to the second level. */
final class ChangedFields {
  private ChangedFields() {}

  static String between(JsonObject before, JsonObject after) {
    Set<String> changed = new TreeSet<>();
    for (String name : differing(before, after)) {
      if (before.get(name) instanceof JsonObject a && after.get(name) instanceof JsonObject b) {
        differing(a, b).forEach(inner -> changed.add(name + "." + inner));
      } else {
        changed.add(name);
      }
    }
    return String.join(", ", changed);
  }

  private static Set<String> differing(JsonObject before, JsonObject after) {
    Set<String> names = new TreeSet<>(before.names());
    names.addAll(after.names());
    names.removeIf(name -> Objects.equals(before.get(name), after.get(name)));
    return names;
  }
}
