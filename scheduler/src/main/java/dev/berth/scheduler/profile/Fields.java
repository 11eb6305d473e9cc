package dev.berth.scheduler.profile;

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
final class Fields {
  private final JsonObject object;
  private final FieldPath path;
  private final List<FieldError> errors;

  Fields(JsonObject object, FieldPath path, List<FieldError> errors) {
    this.object = object;
    this.path = path;
    this.errors = errors;
  }

  JsonObject tree() {
    return object;
  }

  String path(String name) {
    return path.field(name).toString();
  }

  void error(FieldError error) {
    errors.add(error);
  }

  void invalid(String name, Object value, String detail) {
    errors.add(FieldError.invalid(path(name), value, detail));
  }

  /** Notes fields of other names. */
  void onlyHas(Set<String> names) {
    for (String name : object.names()) {
      if (!names.contains(name)) {
        errors.add(FieldError.forbidden(path(name), "unknown field"));
      }
    }
  }

  boolean has(String name) {
    return object.get(name) != null && !(object.get(name) instanceof JsonNull);
  }

  long integer(String name, long whenAbsent) {
    return switch (object.get(name)) {
      case null -> whenAbsent;
      case JsonNull _ -> whenAbsent;
      case Long number -> number;
      case Object other -> wrong(name, other, "an integer", whenAbsent);
    };
  }

  boolean flag(String name, boolean whenAbsent) {
    return switch (object.get(name)) {
      case null -> whenAbsent;
      case JsonNull _ -> whenAbsent;
      case Boolean flag -> flag;
      case Object other -> wrong(name, other, "true or false", whenAbsent);
    };
  }

  String text(String name, String whenAbsent) {
    return switch (object.get(name)) {
      case null -> whenAbsent;
      case JsonNull _ -> whenAbsent;
      case String text -> text;
      case Object other -> wrong(name, other, "a string", whenAbsent);
    };
  }

  Fields object(String name) {
    JsonObject inner =
        switch (object.get(name)) {
          case null -> JsonObject.EMPTY;
          case JsonNull _ -> JsonObject.EMPTY;
          case JsonObject found -> found;
          case Object other -> wrong(name, other, "an object", JsonObject.EMPTY);
        };
    return new Fields(inner, path.field(name), errors);
  }

  /** The objects of a list; what is something else is noted and left out. */
  List<Fields> objects(String name) {
    List<Fields> all = new ArrayList<>();
    JsonArray array = array(name);
    for (int i = 0; i < array.size(); i++) {
      FieldPath at = path.field(name).index(i);
      if (array.get(i) instanceof JsonObject found) {
        all.add(new Fields(found, at, errors));
      } else {
        errors.add(FieldError.invalid(at.toString(), array.get(i), "must be an object"));
      }
    }
    return all;
  }

  JsonArray array(String name) {
    return switch (object.get(name)) {
      case null -> JsonArray.EMPTY;
      case JsonNull _ -> JsonArray.EMPTY;
      case JsonArray found -> found;
      case Object other -> wrong(name, other, "a list", JsonArray.EMPTY);
    };
  }

  private <T> T wrong(String name, @Nullable Object found, String wanted, T instead) {
    Object shown = found instanceof JsonNumber number ? number.toString() : found;
    errors.add(new FieldError(FieldError.Reason.INVALID, path(name), shown, "must be " + wanted));
    return instead;
  }
}
