package dev.berth.registry.apply;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.apply.Structure.Field;
import dev.berth.registry.apply.Structure.KeyedList;
import dev.berth.registry.apply.Structure.Struct;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object as whoever applies it would own them; and an object without some of its
 * fields.
 */
final class ObjectFields {
  /** What no manager owns, because the server sets it or because it tells objects apart. */
  static final FieldSet NEVER_OWNED =
      FieldSet.of(
          "apiVersion",
          "kind",
          "metadata",
          "metadata.name",
          "metadata.namespace",
          "metadata.creationTimestamp",
          "metadata.selfLink",
          "metadata.uid",
          "metadata.clusterName",
          "metadata.generation",
          "metadata.managedFields",
          "metadata.resourceVersion");

  private ObjectFields() {}

  /**
   * The fields of an applied object: leaves, entries of maps and elements of lists, and objects
   * that are empty.
   */
  static FieldSet of(JsonObject object, Structure structure) {
    FieldSet.Builder<String> fields = new FieldSet.Builder<>(element -> element);
    collect(object, structure, new ArrayList<>(), fields);
    return fields.build();
  }

  private static void collect(
      Object value, Structure structure, List<String> path, FieldSet.Builder<String> into) {
    if (value instanceof JsonObject object && isGranularObject(structure)) {
      for (int i = 0; i < object.size(); i++) {
        String name = object.name(i);
        Object child = object.value(i);
        Field field = structure instanceof Struct struct ? struct.field(name) : null;
        path.add(field == null ? Elements.field(name) : field.element());
        boolean empty =
            child == JsonNull.NULL || (child instanceof JsonObject nested && nested.isEmpty());
        if (field == null || empty) {
          into.insert(path);
        }
        collect(child, child(structure, name), path, into);
        path.removeLast();
        into.leave(path.size());
      }
    } else if (value instanceof JsonArray list && isGranularList(structure)) {
      Set<String> seen = new HashSet<>();
      for (Object item : list.values()) {
        if (Elements.warning(structure, item).isEmpty()) {
          path.add(Elements.item(structure, item));
          into.insert(path);
          if (seen.add(path.getLast())) {
            collect(item, child(structure), path, into);
          }
          path.removeLast();
          into.leave(path.size());
        }
      }
    } else {
      into.insert(path);
    }
  }

  static boolean isGranularObject(Structure structure) {
    return structure instanceof Struct
        || structure instanceof Structure.MapOf
        || structure instanceof Structure.Deduced;
  }

  static boolean isGranularList(Structure structure) {
    return structure instanceof KeyedList || structure instanceof Structure.SetList;
  }

  /** The structure of a field of an object. */
  static Structure child(Structure structure, String name) {
    return switch (structure) {
      case Struct struct -> {
        Field field = struct.field(name);
        yield field == null ? Structure.Deduced.DEDUCED : field.structure();
      }
      case Structure.MapOf map -> map.value();
      case Structure.Leaf leaf -> leaf;
      case Structure.Atomic _ -> Structure.Leaf.LEAF;
      case Structure.Deduced deduced -> deduced;
      case KeyedList _, Structure.SetList _, Structure.PlainList _ -> Structure.Deduced.DEDUCED;
    };
  }

  /** The structure of the elements of a list. */
  static Structure child(Structure structure) {
    return structure instanceof KeyedList list ? list.element() : Structure.Leaf.LEAF;
  }

  /**
   * The set with every field of a type that leads to a path in it, so that a struct goes when all
   * of it goes.
   */
  static FieldSet withNamedFields(FieldSet set, Structure structure) {
    JsonObject tree = named(set.tree(), structure);
    return FieldSet.trusted(tree);
  }

  private static JsonObject named(JsonObject node, Structure structure) {
    JsonObject.Builder builder = new JsonObject.Builder();
    for (int i = 0; i < node.size(); i++) {
      String element = node.name(i);
      JsonObject child = (JsonObject) node.value(i);
      if (element.equals(FieldSet.SELF)) {
        builder.put(element, child);
      } else {
        boolean isField = element.startsWith("f:");
        String name = element.substring(2);
        JsonObject nested = named(child, isField ? child(structure, name) : child(structure));
        boolean declared =
            isField && structure instanceof Struct struct && struct.field(name) != null;
        builder.put(element, declared ? member(nested) : nested);
      }
    }
    return builder.build();
  }

  private static JsonObject member(JsonObject node) {
    if (FieldSet.isMember(node)) {
      return node;
    }
    JsonObject.Builder builder = new JsonObject.Builder().put(FieldSet.SELF, JsonObject.EMPTY);
    node.forEach(builder::put);
    return builder.build();
  }

  /** The object without the fields of a set, nor what gets empty by that. */
  static JsonObject without(JsonObject object, FieldSet set, Structure structure) {
    Object rest = set.isEmpty() ? object : remove(object, set.tree(), structure);
    return rest instanceof JsonObject kept ? kept : JsonObject.EMPTY;
  }

  private static @Nullable Object remove(Object value, JsonObject node, Structure structure) {
    if (value instanceof JsonObject object && isGranularObject(structure)) {
      JsonObject.Builder kept = new JsonObject.Builder();
      object.forEach((name, child) ->
          kept.putIfPresent(
              name, rest(child, node.get(Elements.field(name)), child(structure, name))));
      JsonObject rest = kept.build();
      return rest.isEmpty() && !object.isEmpty() ? null : rest;
    }
    if (value instanceof JsonArray list && isGranularList(structure)) {
      List<Object> kept = new ArrayList<>();
      for (Object item : list.values()) {
        boolean good = Elements.warning(structure, item).isEmpty();
        Object gone = good ? node.get(Elements.item(structure, item)) : null;
        Object rest = rest(item, gone, child(structure));
        if (rest != null) {
          kept.add(rest);
        }
      }
      return kept.isEmpty() && !list.isEmpty() ? null : JsonArray.copyOf(kept);
    }
    return value;
  }

  private static @Nullable Object rest(Object value, @Nullable Object gone, Structure structure) {
    if (!(gone instanceof JsonObject node)) {
      return value;
    }
    return FieldSet.isMember(node) ? null : remove(value, node, structure);
  }
}
