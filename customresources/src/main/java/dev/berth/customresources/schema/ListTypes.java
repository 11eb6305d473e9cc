package dev.berth.customresources.schema;

import dev.berth.model.resource.FieldError;
import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Lists that are sets have no element twice, and lists that are maps no key. */
public final class ListTypes {
  private final List<FieldError> errors = new ArrayList<>();

  private ListTypes() {}

  public static List<FieldError> validate(JsonObject object, StructuralSchema schema) {
    ListTypes types = new ListTypes();
    types.object(object, schema, FieldPath.ROOT);
    return types.errors;
  }

  private void value(Object value, StructuralSchema schema, FieldPath at) {
    switch (value) {
      case JsonObject object -> object(object, schema, at);
      case JsonArray array -> array(array, schema, at);
      default -> {}
    }
  }

  private void object(JsonObject object, StructuralSchema schema, FieldPath at) {
    if (!schema.hasUniqueLists()) {
      return;
    }
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      StructuralSchema own = schema.property(name);
      if (own != null) {
        value(object.value(i), own, at.field(name));
      } else if (schema.additional() != null) {
        value(object.value(i), schema.additional(), at.key(name));
      }
    }
  }

  private void array(JsonArray array, StructuralSchema schema, FieldPath at) {
    switch (schema.listType()) {
      case "set" ->
          repeated(array.values())
              .forEach(i -> errors.add(FieldError.duplicate(at.index(i).toString(), array.get(i))));
      case "map" -> keyed(array, schema.listMapKeys(), at);
      default -> {}
    }
    StructuralSchema items = schema.items();
    if (items != null) {
      for (int i = 0; i < array.size(); i++) {
        value(array.get(i), items, at.index(i));
      }
    }
  }

  private void keyed(JsonArray array, List<String> keys, FieldPath at) {
    List<Object> found = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      Object element = array.get(i);
      if (!(element instanceof JsonObject) && !(element instanceof JsonNull)) {
        errors.add(
            FieldError.invalid(
                at.index(i).toString(),
                element,
                "must be an object for an array of list-type map"));
        return;
      }
      JsonObject key = JsonObject.EMPTY;
      for (String name : keys) {
        Object value = element instanceof JsonObject object ? object.get(name) : null;
        key = value == null ? key : key.with(name, value);
      }
      found.add(key);
    }
    repeated(found)
        .forEach(i -> errors.add(FieldError.duplicate(at.index(i).toString(), found.get(i))));
  }

  /** Where values stand for the second time; further repetitions are not named. */
  private static List<Integer> repeated(List<?> values) {
    List<Integer> places = new ArrayList<>();
    Map<Object, Integer> times = new HashMap<>();
    for (int i = 0; i < values.size(); i++) {
      Object value = Objects.requireNonNull(values.get(i));
      if (times.merge(value, 1, Integer::sum) == 2) {
        places.add(i);
      }
    }
    return places;
  }
}
