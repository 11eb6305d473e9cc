package dev.berth.customresources.instance;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A path into an object as {@code kubectl} and printed columns have it: {@code
 * .status.conditions[?(@.type=="Ready")].status}. What is absent is found nowhere, and is no error.
 */
final class JsonPath {
  private final List<Step> steps;

  JsonPath(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /** From some values to those that they lead to. */
  interface Step {
    void follow(Object value, List<Object> found);
  }

  /** The path that a text means; empty if it means none. */
  static Optional<JsonPath> parse(String text) {
    return JsonPathParser.parse(text);
  }

  /** All values that the path leads to. */
  List<Object> find(Object tree) {
    List<Object> values = List.of(tree);
    for (Step step : steps) {
      List<Object> next = new ArrayList<>();
      values.forEach(value -> step.follow(value, next));
      values = next;
    }
    return values;
  }

  /** A value as a printed column shows it: texts as they are, objects and lists as JSON. */
  static String text(Object value) {
    return switch (value) {
      case String text -> text;
      case JsonNull _ -> "<nil>";
      default -> JsonWriter.toText(value);
    };
  }

  static Step field(String name) {
    return (value, found) -> {
      Object inside = value instanceof JsonObject object ? object.get(name) : null;
      if (inside != null && !(inside instanceof JsonNull)) {
        found.add(inside);
      }
    };
  }

  static Step every() {
    return (value, found) -> {
      switch (value) {
        case JsonArray array -> found.addAll(array.values());
        case JsonObject object -> object.forEach((name, inside) -> found.add(inside));
        default -> {}
      }
    };
  }

  /** A field at any depth. */
  static Step anywhere(String name) {
    return (value, found) -> descend(value, name, found);
  }

  private static void descend(Object value, String name, List<Object> found) {
    switch (value) {
      case JsonObject object -> {
        Object inside = object.get(name);
        if (inside != null) {
          found.add(inside);
        }
        object.forEach((field, below) -> descend(below, name, found));
      }
      case JsonArray array -> array.values().forEach(element -> descend(element, name, found));
      default -> {}
    }
  }

  /** Elements from one index to before another; negative ones count from the end. */
  static Step slice(int from, int to, int stride, boolean hasFrom, boolean hasTo) {
    return (value, found) -> {
      if (!(value instanceof JsonArray array)) {
        return;
      }
      int size = array.size();
      int begin = hasFrom ? (from < 0 ? from + size : from) : 0;
      int end = hasTo ? (to < 0 ? to + size : to) : size;
      for (int i = Math.max(0, begin); i < Math.min(size, end); i += stride) {
        found.add(array.get(i));
      }
    };
  }

  static Step index(int index) {
    return (value, found) -> {
      if (value instanceof JsonArray array) {
        int place = index < 0 ? index + array.size() : index;
        if (place >= 0 && place < array.size()) {
          found.add(array.get(place));
        }
      }
    };
  }
}
