package dev.berth.kinds.pod;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Parts of objects as Kubernetes' messages print them: by the fields of its own, unversioned types,
 * each of them, whether it has a value or not. Two parts that look the same are the same to it,
 * whatever a client spelled out of what is absent anyway.
 */
public final class InternalForm {
  private static final Map<String, List<Field>> TYPES = read();

  /** What a pod's specification has outside of its security context, and its own type inside. */
  private static final List<String> IN_SECURITY_CONTEXT =
      List.of("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers");

  /**
   * A field of a type.
   *
   * @param name empty if another type's fields stand in its place
   * @param apiName its name in the API
   * @param type a name of a type, with what it is made into in front
   */
  private record Field(String name, String apiName, String type, boolean omitsEmpty) {}

  private InternalForm() {}

  /** An object of the API as one of Kubernetes' own type of that name. */
  public static JsonObject of(String type, JsonObject object) {
    JsonObject.Builder fields = new JsonObject.Builder();
    JsonObject source = type.equals("PodSpec") ? withSecurity(object) : object;
    add(type, source, fields);
    return fields.build();
  }

  /** What shows an object that may be absent as one of Kubernetes' own type of that name. */
  public static Function<@Nullable Object, Object> as(String type) {
    return object -> orNull(type, object);
  }

  /** An object that may be absent, as one of Kubernetes' own type of that name; null if it is. */
  public static Object orNull(String type, @Nullable Object object) {
    return value("*" + type, object);
  }

  /** The list of such objects; null if it is empty. */
  public static Object listOf(String type, JsonArray array) {
    return value("[]" + type, array);
  }

  /** A map of texts or quantities, whose names Go writes in order; null if it is empty. */
  public static Object mapOf(JsonObject map) {
    return value("map:string", map);
  }

  private static JsonObject withSecurity(JsonObject spec) {
    if (!spec.has("securityContext")) {
      return spec;
    }
    JsonObject context = spec.object("securityContext");
    for (String field : IN_SECURITY_CONTEXT) {
      Object value = spec.get(field);
      context = value == null ? context : context.with(field, value);
    }
    return spec.with("securityContext", context);
  }

  private static void add(String type, JsonObject object, JsonObject.Builder fields) {
    for (Field field : TYPES.getOrDefault(type, List.of())) {
      if (field.name().isEmpty()) {
        Object embedded = object.get(field.apiName());
        JsonObject source = embedded instanceof JsonObject tree ? tree : object;
        add(field.type(), source, fields);
      } else {
        Object value = value(field.type(), object.get(field.apiName()));
        if (!field.omitsEmpty() || !isEmpty(value)) {
          fields.put(field.name(), value);
        }
      }
    }
  }

  private static boolean isEmpty(Object value) {
    return switch (value) {
      case JsonNull _ -> true;
      case String text -> text.isEmpty();
      case Long number -> number == 0;
      case Boolean flag -> !flag;
      default -> false;
    };
  }

  private static Object value(String type, @Nullable Object value) {
    boolean absent = value == null || value instanceof JsonNull;
    if (type.startsWith("*")) {
      return absent ? JsonNull.NULL : value(type.substring(1), value);
    }
    if (type.startsWith("[]")) {
      return value instanceof JsonArray array && !array.isEmpty()
          ? list(type.substring(2), array)
          : JsonNull.NULL;
    }
    if (type.startsWith("map:")) {
      return value instanceof JsonObject map && !map.isEmpty() ? sorted(map) : JsonNull.NULL;
    }
    return switch (type) {
      case "string", "duration" -> absent ? "" : Objects.requireNonNull(value);
      case "bool" -> absent ? false : Objects.requireNonNull(value);
      case "int", "intstr" -> absent ? (Object) 0L : Objects.requireNonNull(value);
      case "quantity" -> absent ? "0" : Objects.requireNonNull(value);
      case "time", "raw" -> absent ? JsonNull.NULL : Objects.requireNonNull(value);
      default -> of(type, value instanceof JsonObject object ? object : JsonObject.EMPTY);
    };
  }

  private static JsonArray list(String element, JsonArray array) {
    List<Object> values = new ArrayList<>();
    array.values().forEach(value -> values.add(value(element, value)));
    return JsonArray.copyOf(values);
  }

  private static JsonObject sorted(JsonObject map) {
    JsonObject.Builder entries = new JsonObject.Builder();
    map.names().stream()
        .sorted()
        .forEach(name -> entries.put(name, Objects.requireNonNull(map.get(name))));
    return entries.build();
  }

  private static Map<String, List<Field>> read() {
    Map<String, List<Field>> types = new LinkedHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    InternalForm.class.getResourceAsStream("internal-types.tsv")),
                StandardCharsets.UTF_8))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .forEach(row ->
              types
                  .computeIfAbsent(row[0], _ -> new ArrayList<>())
                  .add(
                      new Field(
                          row[1],
                          // A template's own metadata stand in a field of their own in the API.
                          row[3].equals("meta.ObjectMeta") ? "metadata" : row[2],
                          row[3],
                          row.length > 4)));
      return types;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
