package dev.berth.customresources.schema;

import dev.berth.model.schema.StructuralSchema;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fills in the defaults of a schema: where a field is absent, and where it is null but may not be.
 * A null that may not be and has no default goes.
 */
@SuppressWarnings("ReferenceEquality") // what does not change is the same value
public final class Defaulting {
  private Defaulting() {}

  /** An object with its defaults; itself if nothing was missing. */
  public static JsonObject fill(JsonObject object, StructuralSchema schema) {
    return schema.hasDefaults() ? (JsonObject) filled(object, schema) : object;
  }

  private static Object filled(Object value, @Nullable StructuralSchema schema) {
    if (schema == null || !schema.hasDefaults()) {
      return value;
    }
    return switch (value) {
      case JsonObject object -> object(object, schema);
      case JsonArray array -> array(array, schema.items());
      default -> value;
    };
  }

  private static JsonObject object(JsonObject object, StructuralSchema schema) {
    JsonObject result = object;
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      StructuralSchema own = property.getValue();
      if (!own.hasDefaults()) {
        continue;
      }
      String name = property.getKey();
      Object value = result.get(name);
      if ((value == null || isForbiddenNull(value, own)) && own.whenAbsent() != null) {
        value = own.whenAbsent();
        result = result.with(name, value);
      }
      if (value != null) {
        Object filled = filled(value, own);
        result = filled == value ? result : result.with(name, filled);
      }
    }
    StructuralSchema others = schema.additional();
    if (others != null && others.hasDefaults()) {
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        if (!schema.properties().containsKey(name)) {
          Object value = object.value(i);
          Object filled = element(value, others);
          result = filled == value ? result : result.with(name, filled);
        }
      }
    }
    return result;
  }

  private static JsonArray array(JsonArray array, @Nullable StructuralSchema items) {
    if (items == null) {
      return array;
    }
    Object @Nullable [] changed = null;
    for (int i = 0; i < array.size(); i++) {
      Object value = array.get(i);
      Object filled = element(value, items);
      if (filled != value) {
        changed = changed == null ? array.values().toArray() : changed;
        changed[i] = filled;
      }
    }
    return changed == null ? array : JsonArray.of(changed);
  }

  private static Object element(Object value, StructuralSchema schema) {
    Object given = schema.whenAbsent();
    return filled(isForbiddenNull(value, schema) && given != null ? given : value, schema);
  }

  private static boolean isForbiddenNull(Object value, StructuralSchema schema) {
    return value instanceof JsonNull && !schema.isNullable();
  }

  /** An object without the nulls that may not be and have no default; itself if it has none. */
  public static JsonObject withoutNulls(JsonObject object, StructuralSchema schema) {
    return (JsonObject) nullsPruned(object, schema);
  }

  private static boolean mayBeOrHoldNull(Object value) {
    return value instanceof JsonNull || value instanceof JsonObject || value instanceof JsonArray;
  }

  private static Object nullsPruned(Object value, @Nullable StructuralSchema schema) {
    return switch (value) {
      case JsonObject object when schema != null -> {
        JsonObject result = object;
        for (int i = 0; i < object.size(); i++) {
          String name = object.name(i);
          Object inside = object.value(i);
          if (!mayBeOrHoldNull(inside)) {
            continue;
          }
          StructuralSchema own = schema.field(name);
          if (own != null && isForbiddenNull(inside, own) && own.whenAbsent() == null) {
            result = result.without(name);
          } else {
            Object pruned = nullsPruned(inside, own);
            result = pruned == inside ? result : result.with(name, pruned);
          }
        }
        yield result;
      }
      case JsonArray array when schema != null && schema.items() != null -> {
        Object @Nullable [] changed = null;
        for (int i = 0; i < array.size(); i++) {
          Object pruned = nullsPruned(array.get(i), schema.items());
          if (pruned != array.get(i)) {
            changed = changed == null ? array.values().toArray() : changed;
            changed[i] = pruned;
          }
        }
        yield changed == null ? array : JsonArray.of(changed);
      }
      default -> value;
    };
  }
}
