package dev.berth.kinds.resource;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The defaults and checks of single fields that the rules of several kinds are made of. */
public final class FieldRules {
  private FieldRules() {}

  /** The object with a field set, unless it is set already. */
  public static JsonObject orDefault(JsonObject object, String field, Object value) {
    return object.has(field) ? object : object.with(field, value);
  }

  /**
   * The object with a field set, unless it is set to more than nothing: for Go's types that cannot
   * tell an empty text or a zero from a value that was left out.
   */
  public static JsonObject ifEmpty(JsonObject object, String field, Object value) {
    return switch (object.get(field)) {
      case null -> object.with(field, value);
      case JsonNull _ -> object.with(field, value);
      case String text when text.isEmpty() -> object.with(field, value);
      case Long number when number == 0 -> object.with(field, value);
      case Object _ -> object;
    };
  }

  /** The object with what is in a field changed, if anything is. */
  public static JsonObject present(
      JsonObject object, String field, UnaryOperator<JsonObject> change) {
    return object.get(field) instanceof JsonObject there
        ? object.with(field, change.apply(there))
        : object;
  }

  /** The object with what is in a list changed, one after the other. */
  public static JsonObject each(JsonObject object, String field, UnaryOperator<JsonObject> change) {
    return object.get(field) instanceof JsonArray list
        ? object.with(field, list.mapObjects(change))
        : object;
  }

  /** The object with what is in a field changed; also if nothing is there. */
  public static JsonObject within(
      JsonObject object, String field, UnaryOperator<JsonObject> change) {
    return object.with(field, change.apply(object.object(field)));
  }

  /** The object with a field as another one has it. */
  public static JsonObject keep(String field, JsonObject object, JsonObject from) {
    Object value = from.get(field);
    return value == null ? object.without(field) : object.with(field, value);
  }

  /** The error of a field that may never change, if it did. */
  public static List<FieldError> immutable(FieldPath path, JsonObject object, JsonObject old) {
    return immutable(path, value -> value == null ? JsonNull.NULL : value, object, old);
  }

  /**
   * The same of a field that is shown in another form than it is sent in.
   *
   * @param shown how its value is shown, which may be absent
   */
  public static List<FieldError> immutable(
      FieldPath path, Function<@Nullable Object, Object> shown, JsonObject object, JsonObject old) {
    Object value = path.get(object);
    return Objects.equals(value, path.get(old))
        ? List.of()
        : List.of(FieldError.invalid(path.toString(), shown.apply(value), "field is immutable"));
  }

  /** The error of a text that is none of those that are allowed, if it is none. */
  public static List<FieldError> oneOf(FieldPath path, String value, List<String> allowed) {
    return allowed.contains(value)
        ? List.of()
        : List.of(FieldError.notSupported(path.toString(), value, allowed));
  }

  /** The error of an integer that is negative, if it is there and is. */
  public static List<FieldError> notNegative(FieldPath path, JsonObject object) {
    return path.get(object) instanceof Long number && number < 0
        ? List.of(FieldError.invalid(path.toString(), number, "must be greater than or equal to 0"))
        : List.of();
  }
}
