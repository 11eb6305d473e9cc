package dev.berth.registry.patch;

import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Merging;
import dev.berth.model.schema.Merging.PatchStrategy;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Makes the strategic merge patch that leads from one object to another, as kubectl does. */
final class StrategicDiff {
  private StrategicDiff() {}

  static JsonObject between(JsonObject from, JsonObject to, FieldType type) {
    JsonObject.Builder patch = new JsonObject.Builder();
    for (String name : from.names()) {
      if (!to.has(name)) {
        patch.put(name, JsonNull.NULL);
      }
    }
    to.forEach((name, value) -> {
      Object old = from.get(name);
      FieldSchema field = field(type, name);
      if (old instanceof JsonObject left && value instanceof JsonObject right) {
        JsonObject nested = between(left, right, field.type());
        if (!nested.isEmpty()) {
          patch.put(name, nested);
        }
      } else if (old instanceof JsonArray left
          && value instanceof JsonArray right
          && !left.equals(right)
          && field.merging().patchStrategies().contains(PatchStrategy.MERGE)) {
        lists(patch, field, left, right);
      } else if (!value.equals(old)) {
        patch.put(name, value);
      }
    });
    if (!type.equals(FieldType.Scalar.ANY) && retainsKeys(from, to)) {
      JsonObject made = patch.build();
      return made.with("$retainKeys", JsonArray.copyOf(to.names()));
    }
    return patch.build();
  }

  /** Volumes change their source, of which there must be one. */
  private static boolean retainsKeys(JsonObject from, JsonObject to) {
    return from.has("emptyDir") && to.has("hostPath");
  }

  private static void lists(
      JsonObject.Builder patch, FieldSchema field, JsonArray from, JsonArray to) {
    String key = field.merging().patchMergeKey();
    FieldType element = ((FieldType.ListOf) field.type()).element();
    List<Object> changes = new ArrayList<>();
    List<Object> deleted = new ArrayList<>();
    List<Object> order = new ArrayList<>();
    for (Object target : to.values()) {
      if (key.isEmpty()) {
        order.add(target);
        if (!from.values().contains(target)) {
          changes.add(target);
        }
        continue;
      }
      JsonObject right = (JsonObject) target;
      order.add(JsonObject.of(key, required(right, key)));
      JsonObject left = find(from, key, required(right, key));
      JsonObject change = left.isEmpty() ? right : between(left, right, element);
      if (!change.isEmpty()) {
        changes.add(change.with(key, required(right, key)));
      }
    }
    for (Object old : from.values()) {
      if (key.isEmpty() && !to.values().contains(old)) {
        deleted.add(old);
      } else if (!key.isEmpty()) {
        Object value = required((JsonObject) old, key);
        if (find(to, key, value).isEmpty()) {
          changes.add(JsonObject.of(key, value).with("$patch", "delete"));
        }
      }
    }
    patch.put("$setElementOrder/" + field.name(), JsonArray.copyOf(order));
    if (!deleted.isEmpty()) {
      patch.put("$deleteFromPrimitiveList/" + field.name(), JsonArray.copyOf(deleted));
    }
    if (!changes.isEmpty()) {
      patch.put(field.name(), JsonArray.copyOf(changes));
    }
  }

  private static JsonObject find(JsonArray list, String key, Object value) {
    return list.objects().stream()
        .filter(element -> value.equals(element.get(key)))
        .findFirst()
        .orElse(JsonObject.EMPTY);
  }

  private static Object required(JsonObject object, String key) {
    Object value = object.get(key);
    if (value == null) {
      throw new IllegalArgumentException("no " + key + " in " + object);
    }
    return value;
  }

  private static FieldSchema field(FieldType type, String name) {
    FieldSchema unknown = new FieldSchema(name, FieldType.Scalar.ANY, false, Merging.UNSPECIFIED);
    return type instanceof FieldType.Reference reference
        ? Schemas.builtIn()
            .type(reference.type())
            .flatMap(schema -> schema.field(name))
            .orElse(unknown)
        : unknown;
  }
}
