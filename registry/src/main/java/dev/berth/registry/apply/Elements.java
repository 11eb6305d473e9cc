package dev.berth.registry.apply;

import static java.util.stream.Collectors.joining;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.registry.apply.Structure.KeyedList;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The elements of a path to a field, as strings in the form that {@code FieldsV1} has: {@code
 * f:name} is a field, {@code k:{"name":"web"}} the element of a list with these keys, {@code v:"x"}
 * an element of a set, and {@code i:0} one at an index.
 */
final class Elements {
  /** Fields, keys, values, indices; each in alphabetical order. */
  static final Comparator<String> ORDER =
      Comparator.<String>comparingInt(element -> "fkvi".indexOf(element.charAt(0)))
          .thenComparing(Comparator.naturalOrder());

  private Elements() {}

  static String field(String name) {
    return "f:" + name;
  }

  /** The element of a set. */
  static String value(Object scalar) {
    return json(scalar, new StringBuilder("v:")).toString();
  }

  /** Why a value cannot be an element of a list, or empty if it can. */
  static Optional<String> warning(Structure list, Object value) {
    if (list instanceof KeyedList keyed) {
      if (value == JsonNull.NULL) {
        return Optional.of("associative list with keys may not have a null element");
      }
      if (!(value instanceof JsonObject object)) {
        return Optional.of("associative list with keys may not have non-map elements");
      }
      if (!keyed.hasKey(object)) {
        return Optional.of(
            "associative list with keys has an element that omits all key fields "
                + keyed.keys().stream()
                    .map(key -> '"' + key.name() + '"')
                    .collect(joining(" ", "[", "]"))
                + " (and doesn't have default values for any key fields)");
      }
      return Optional.empty();
    }
    return switch (value) {
      case JsonObject _ ->
          Optional.of("associative list without keys has an element that's a map type");
      case JsonArray _ -> Optional.of("not supported: associative list with lists as elements");
      case JsonNull _ ->
          Optional.of("associative list without keys has an element that's an explicit null");
      default -> Optional.empty();
    };
  }

  /** The element of a list of any structure but an atomic one; the value must be a good one. */
  static String item(Structure list, Object value) {
    return list instanceof KeyedList keyed && value instanceof JsonObject object
        ? keyed(keyed, object)
        : value(value);
  }

  static String keyed(KeyedList list, JsonObject item) {
    StringBuilder text = new StringBuilder("k:{");
    for (Structure.Key key : list.keys()) {
      Object value = KeyedList.value(item, key);
      if (value != null) {
        text.append(text.length() > 3 ? "," : "").append('"').append(key.name()).append("\":");
        json(value, text);
      }
    }
    return text.append('}').toString();
  }

  /** Appends JSON, without a generator for what needs no escapes. */
  private static StringBuilder json(Object value, StringBuilder text) {
    if (value instanceof String string && isPlain(string)) {
      return text.append('"').append(string).append('"');
    }
    return text.append(value instanceof Long ? value.toString() : JsonWriter.toText(value));
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      if (character < ' ' || character >= 0x7f || character == '"' || character == '\\') {
        return false;
      }
    }
    return true;
  }

  /** The element as it would be written here; empty if it is of no kind that is known. */
  static Optional<String> canonical(String element) {
    String rest = element.length() > 2 ? element.substring(2) : "";
    return switch (element.length() < 2 || element.charAt(1) != ':' ? '?' : element.charAt(0)) {
      case 'f' -> Optional.of(element);
      case 'i' -> {
        if (!rest.matches("[0-9]{1,9}")) {
          throw new JsonException("not an index: " + element);
        }
        yield Optional.of(element);
      }
      case 'v' -> Optional.of(value(read(rest)));
      case 'k' -> {
        if (!(read(rest) instanceof JsonObject keys)) {
          throw new JsonException("not the keys of an element: " + element);
        }
        yield Optional.of("k:" + sorted(keys));
      }
      default -> Optional.empty();
    };
  }

  private static JsonObject sorted(JsonObject keys) {
    JsonObject.Builder sorted = new JsonObject.Builder();
    keys.names().stream().sorted().forEach(name -> sorted.putIfPresent(name, keys.get(name)));
    return sorted.build();
  }

  /** The element as it stands in messages: {@code .spec}, {@code [name="web"]}. */
  static String text(String element) {
    String rest = element.substring(2);
    return switch (element.charAt(0)) {
      case 'f' -> "." + rest;
      case 'k' -> {
        JsonObject keys = (JsonObject) read(rest);
        List<String> parts = new ArrayList<>();
        keys.forEach((name, value) -> parts.add(name + "=" + JsonWriter.toText(value)));
        yield "[" + String.join(",", parts) + "]";
      }
      case 'v' -> "[=" + rest + "]";
      default -> "[" + rest + "]";
    };
  }

  private static Object read(String json) {
    return JsonReader.value(json.getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }
}
