package dev.berth.serving.wire;

import dev.berth.model.schema.FieldSchema;
import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.schema.ZeroForm;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Spells out fields that an object leaves out, as clients do that cannot tell a zero from nothing:
 * nulls anywhere, and the zeros of Go where its types have no other way to say nothing.
 */
final class ZeroValues {
  private static final double SHARE = 0.3;

  private final RandomGenerator random;

  ZeroValues(RandomGenerator random) {
    this.random = random;
  }

  JsonObject in(JsonObject object, TypeSchema type) {
    JsonObject.Builder filled = new JsonObject.Builder();
    for (FieldSchema field : type.fields()) {
      Object value = object.get(field.name());
      if (value != null) {
        filled.put(field.name(), inside(value, field.type()));
      } else if (!field.name().equals("managedFields") && random.nextDouble() < SHARE) {
        filled.put(field.name(), nothing(field));
      }
    }
    // What the schema does not know, such as the fields of any object at all.
    object.forEach((name, value) -> {
      if (type.field(name).isEmpty()) {
        filled.put(name, value);
      }
    });
    return filled.build();
  }

  private Object inside(Object value, FieldType type) {
    return switch (type) {
      case FieldType.Reference(String name) when value instanceof JsonObject object ->
          in(object, Schemas.builtIn().type(name).orElseThrow());
      case FieldType.ListOf(FieldType element) when value instanceof JsonArray list -> {
        List<Object> items = new ArrayList<>();
        list.values().forEach(item -> items.add(inside(item, element)));
        yield JsonArray.copyOf(items);
      }
      case FieldType.MapOf(FieldType element) when value instanceof JsonObject map -> {
        JsonObject.Builder entries = new JsonObject.Builder();
        map.forEach((key, entry) -> entries.put(key, inside(entry, element)));
        yield entries.build();
      }
      default -> value;
    };
  }

  private Object nothing(FieldSchema field) {
    if (field.zero() != ZeroForm.OMITTED || random.nextBoolean()) {
      return JsonNull.NULL;
    }
    return switch (field.type()) {
      case FieldType.Scalar scalar ->
          switch (scalar) {
            case STRING, BYTES -> "";
            case INT32, INT64, NUMBER, INT_OR_STRING -> 0L;
            case BOOLEAN -> false;
            case QUANTITY, TIME, MICRO_TIME, ANY -> JsonNull.NULL;
          };
      case FieldType.ListOf _ -> JsonArray.EMPTY;
      case FieldType.MapOf _ -> JsonObject.EMPTY;
      case FieldType.Reference _ -> JsonNull.NULL;
    };
  }
}
