package dev.berth.model.config;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object of a configuration file, read so that everything that is wrong is found
 * at once: a field of the wrong kind is noted, and counts as absent.
 */
public final class ConfigFields {
  private static final String A_STRING_NOT_A_FLAG =
      "a string: put it in quotes, since YAML takes n, no, off, y, yes and on for false and true";

  private final JsonObject object;
  private final FieldPath path;
  private final List<FieldError> errors;

  public ConfigFields(JsonObject object, FieldPath path, List<FieldError> errors) {
    this.object = object;
    this.path = path;
    this.errors = errors;
  }

  public JsonObject tree() {
    return object;
  }

  public String path(String name) {
    return path.field(name).toString();
  }

  public void error(FieldError error) {
    errors.add(error);
  }

  public void invalid(String name, Object value, String detail) {
    errors.add(FieldError.invalid(path(name), value, detail));
  }

  public void required(String name, String detail) {
    errors.add(FieldError.required(path(name), detail));
  }

  /** Where this object is; empty for a whole file. */
  public String path() {
    return path.toString();
  }

  /** Notes a field that does not say one of the values that it must. */
  public void expect(String name, List<String> values) {
    String found = text(name, "");
    if (found.isEmpty()) {
      required(name, "must be " + String.join(" or ", values));
    } else if (!values.contains(found)) {
      errors.add(FieldError.notSupported(path(name), found, values));
    }
  }

  /** Notes fields of other names. */
  public void onlyHas(Set<String> names) {
    for (String name : object.names()) {
      if (!names.contains(name)) {
        errors.add(FieldError.forbidden(path(name), "unknown field"));
      }
    }
  }

  public boolean has(String name) {
    return object.get(name) != null && !(object.get(name) instanceof JsonNull);
  }

  public long integer(String name, long whenAbsent) {
    return switch (object.get(name)) {
      case null -> whenAbsent;
      case JsonNull _ -> whenAbsent;
      case Long number -> number;
      case Object other -> wrong(name, other, "an integer", whenAbsent);
    };
  }

  public boolean flag(String name, boolean whenAbsent) {
    return switch (object.get(name)) {
      case null -> whenAbsent;
      case JsonNull _ -> whenAbsent;
      case Boolean flag -> flag;
      case Object other -> wrong(name, other, "true or false", whenAbsent);
    };
  }

  public String text(String name, String whenAbsent) {
    return switch (object.get(name)) {
      case null -> whenAbsent;
      case JsonNull _ -> whenAbsent;
      case String text -> text;
      case Boolean flag -> wrong(name, flag, A_STRING_NOT_A_FLAG, whenAbsent);
      case Object other -> wrong(name, other, "a string", whenAbsent);
    };
  }

  public ConfigFields object(String name) {
    JsonObject inner =
        switch (object.get(name)) {
          case null -> JsonObject.EMPTY;
          case JsonNull _ -> JsonObject.EMPTY;
          case JsonObject found -> found;
          case Object other -> wrong(name, other, "an object", JsonObject.EMPTY);
        };
    return new ConfigFields(inner, path.field(name), errors);
  }

  /** Fields that stand for what a field says in short. */
  public ConfigFields inside(String name, JsonObject meant) {
    return new ConfigFields(meant, path.field(name), errors);
  }

  /** The objects of a list; what is something else is noted and left out. */
  public List<ConfigFields> objects(String name) {
    List<ConfigFields> all = new ArrayList<>();
    JsonArray array = array(name);
    for (int i = 0; i < array.size(); i++) {
      FieldPath at = path.field(name).index(i);
      if (array.get(i) instanceof JsonObject found) {
        all.add(new ConfigFields(found, at, errors));
      } else {
        errors.add(FieldError.invalid(at.toString(), array.get(i), "must be an object"));
      }
    }
    return all;
  }

  public JsonArray array(String name) {
    return switch (object.get(name)) {
      case null -> JsonArray.EMPTY;
      case JsonNull _ -> JsonArray.EMPTY;
      case JsonArray found -> found;
      case Object other -> wrong(name, other, "a list", JsonArray.EMPTY);
    };
  }

  /** The strings of a list; what is something else is noted and left out. */
  public List<String> texts(String name) {
    List<String> all = new ArrayList<>();
    JsonArray array = array(name);
    for (int i = 0; i < array.size(); i++) {
      if (array.get(i) instanceof String text) {
        all.add(text);
      } else {
        String at = path.field(name).index(i).toString();
        errors.add(FieldError.invalid(at, array.get(i), "must be a string"));
      }
    }
    return all;
  }

  /** Reads an integer, and notes one that is out of range. */
  public long inRange(String name, long whenAbsent, long min, long max) {
    long value = integer(name, whenAbsent);
    if (value < min || value > max) {
      String upper = max >= Integer.MAX_VALUE ? "inf)" : max + "]";
      invalid(name, value, "not in valid range [" + min + ", " + upper);
    }
    return value;
  }

  private <T> T wrong(String name, @Nullable Object found, String wanted, T instead) {
    Object shown = found instanceof JsonNumber number ? number.toString() : found;
    errors.add(new FieldError(FieldError.Reason.INVALID, path(name), shown, "must be " + wanted));
    return instead;
  }
}
