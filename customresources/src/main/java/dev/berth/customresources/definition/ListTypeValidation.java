package dev.berth.customresources.definition;

import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whether a list of a schema can be the set or the map that it says to be. */
final class ListTypeValidation {
  private static final String TYPE = "x-kubernetes-list-type";
  private static final String KEYS = "x-kubernetes-list-map-keys";

  private ListTypeValidation() {}

  static void validate(JsonObject schema, FieldPath at, FieldErrorList errors) {
    String type = text(schema, TYPE);
    JsonObject items = schema.get("items") instanceof JsonObject inside ? inside : JsonObject.EMPTY;
    JsonArray keys = schema.get(KEYS) instanceof JsonArray array ? array : JsonArray.EMPTY;
    if (type.equals("set") && text(schema, "type").equals("array")) {
      atomic(items, at.field("items"), errors);
    }
    if (!type.isEmpty() && !Set.of("atomic", "set", "map").contains(type)) {
      errors.oneOf(at.field(TYPE), type, List.of("atomic", "set", "map"));
    }
    if (!keys.isEmpty() && !type.equals("map")) {
      String words = "must be map if x-kubernetes-list-map-keys is non-empty";
      if (type.isEmpty()) {
        errors.required(at.field(TYPE), words);
      } else {
        errors.invalid(at.field(TYPE), type, words);
      }
    }
    if (type.equals("map")) {
      map(schema, items, keys, at, errors);
    }
    boolean unique = type.equals("set") || type.equals("map");
    if (unique && Boolean.TRUE.equals(items.get("nullable"))) {
      errors.forbidden(
          at.field("items").field("nullable"),
          "cannot be nullable when x-kubernetes-list-type is " + type);
    }
    if (type.equals("map")) {
      presentKeys(items, keys, at, errors);
    }
  }

  private static String text(JsonObject schema, String field) {
    return schema.get(field) instanceof String text ? text : "";
  }

  private static void atomic(JsonObject items, FieldPath at, FieldErrorList errors) {
    String words = "must be atomic as item of a list with x-kubernetes-list-type=set";
    String list = text(items, TYPE);
    String map = text(items, "x-kubernetes-map-type");
    switch (text(items, "type")) {
      case "array" -> {
        if (!list.isEmpty() && !list.equals("atomic")) {
          errors.invalid(at.field(TYPE), list, words);
        }
      }
      case "object" -> {
        if (!map.equals("atomic")) {
          errors.invalid(
              at.field("x-kubernetes-map-type"), list.isEmpty() ? JsonNull.NULL : list, words);
        }
      }
      default -> {}
    }
  }

  private static void map(
      JsonObject schema, JsonObject items, JsonArray keys, FieldPath at, FieldErrorList errors) {
    if (keys.isEmpty()) {
      errors.required(at.field(KEYS), "must not be empty if x-kubernetes-list-type is map");
    }
    if (!schema.has("items")) {
      errors.required(at.field("items"), "must have a schema if x-kubernetes-list-type is map");
      return;
    }
    if (schema.get("items") instanceof JsonArray all) {
      errors.invalid(
          at.field("items"),
          all,
          "must only have a single schema if x-kubernetes-list-type is map");
      return;
    }
    String type = text(items, "type");
    if (!type.equals("object")) {
      errors.invalid(
          at.field("items").field("type"),
          type,
          "must be object if parent array's x-kubernetes-list-type is map");
      return;
    }
    Set<Object> seen = new HashSet<>();
    for (Object key : keys.values()) {
      if (!(property(items, key) instanceof JsonObject property)) {
        errors.invalid(at.field(KEYS), keys, "entries must all be names of item properties");
      } else if (Set.of("array", "object").contains(text(property, "type"))) {
        errors.invalid(
            at.field("items").field("properties").key(key.toString()).field("type"),
            type,
            "must be a scalar type if parent array's x-kubernetes-list-type is map");
      }
      if (!seen.add(key)) {
        errors.invalid(at.field(KEYS), keys, "must not contain duplicate entries");
      }
    }
  }

  private static Object property(JsonObject items, Object key) {
    Object found =
        items.get("properties") instanceof JsonObject properties
            ? properties.get(key.toString())
            : null;
    return found == null ? JsonNull.NULL : found;
  }

  /** Elements without a key could not be told apart. */
  private static void presentKeys(
      JsonObject items, JsonArray keys, FieldPath at, FieldErrorList errors) {
    List<Object> required =
        items.get("required") instanceof JsonArray array ? array.values() : List.of();
    for (Object key : keys.values()) {
      if (property(items, key) instanceof JsonObject property) {
        FieldPath place = at.field("items").field("properties").key(key.toString());
        if (!required.contains(key) && !property.has("default")) {
          errors.required(
              place.field("default"),
              "this property is in x-kubernetes-list-map-keys, so it must have a default or be a"
                  + " required property");
        }
        if (Boolean.TRUE.equals(property.get("nullable"))) {
          errors.forbidden(
              place.field("nullable"),
              "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
        }
      }
    }
  }
}
