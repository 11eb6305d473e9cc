package dev.berth.registry.apply;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.apply.Structure.Field;
import dev.berth.registry.apply.Structure.KeyedList;
import dev.berth.registry.apply.Structure.Struct;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What differs between two objects, field by field as they can be owned.
 *
 * <p>This runs on every write. So values that are the same tree are not looked into, fields in the
 * same place are compared without being looked up, and the elements of paths become strings only
 * where there is a difference. Fields that nobody owns are not compared.
 *
 * @param changed the fields that were added, with all below them, and the leaves that differ
 * @param removed the fields that are gone, with all below them
 * @param isWhole whether all that differs can be owned: an element of a list by its keys that has
 *     none of them cannot
 */
record Comparison(FieldSet changed, FieldSet removed, boolean isWhole) {
  /** Lists of so many elements are compared pair by pair. */
  private static final int FEW = 8;

  private static final Set<String> UNOWNED_ROOT = Set.of("apiVersion", "kind");
  static final Set<String> UNOWNED_METADATA =
      Set.of(
          "name",
          "namespace",
          "creationTimestamp",
          "selfLink",
          "uid",
          "clusterName",
          "generation",
          "managedFields",
          "resourceVersion");

  static Comparison of(JsonObject from, JsonObject to, Structure structure) {
    Walk walk = new Walk();
    walk.compareFields(from, to, structure);
    return new Comparison(walk.changed.build(), walk.removed.build(), walk.whole);
  }

  Comparison minusAllBelow(FieldSet ignored) {
    return ignored.isEmpty()
        ? this
        : new Comparison(changed.minusAllBelow(ignored), removed.minusAllBelow(ignored), isWhole);
  }

  boolean isEmpty() {
    return changed.isEmpty() && removed.isEmpty();
  }

  private static final class Walk {
    final FieldSet.Builder<Object> changed = new FieldSet.Builder<>(Walk::text);
    final FieldSet.Builder<Object> removed = new FieldSet.Builder<>(Walk::text);

    /** Elements as strings, or as {@link Item}s that were not needed as strings yet. */
    private final List<Object> path = new ArrayList<>();

    boolean whole = true;

    private record Item(Structure list, Object value) {}

    private static String text(Object element) {
      return element instanceof Item item ? Elements.item(item.list, item.value) : (String) element;
    }

    private void leave() {
      path.removeLast();
      changed.leave(path.size());
      removed.leave(path.size());
    }

    private void compare(@Nullable Object before, @Nullable Object now, Structure structure) {
      if (before != null && now != null) {
        compareBoth(before, now, structure);
      } else if (now != null) {
        onOneSide(now, structure, changed);
      } else if (before != null) {
        onOneSide(before, structure, removed);
      }
    }

    /** Null is an object or a list with nothing in it; of two with nothing, it is another one. */
    private void compareBoth(Object from, Object to, Structure structure) {
      boolean nothing = isEmpty(from) && isEmpty(to);
      if (!nothing
          && isObjectOrNull(from)
          && isObjectOrNull(to)
          && ObjectFields.isGranularObject(structure)) {
        compareFields(fields(from), fields(to), structure);
      } else if (!nothing
          && isListOrNull(from)
          && isListOrNull(to)
          && ObjectFields.isGranularList(structure)) {
        compareItems(items(from), items(to), structure);
      } else if (!equal(from, to)) {
        changed.insert(path);
        children(from, structure, removed);
        children(to, structure, changed);
      }
    }

    private static boolean isEmpty(Object value) {
      return value == JsonNull.NULL
          || (value instanceof JsonObject object && object.isEmpty())
          || (value instanceof JsonArray list && list.isEmpty());
    }

    private static boolean isObjectOrNull(Object value) {
      return value instanceof JsonObject || value == JsonNull.NULL;
    }

    private static boolean isListOrNull(Object value) {
      return value instanceof JsonArray || value == JsonNull.NULL;
    }

    private static JsonObject fields(Object value) {
      return value instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    private static JsonArray items(Object value) {
      return value instanceof JsonArray list ? list : JsonArray.EMPTY;
    }

    private void onOneSide(Object value, Structure structure, FieldSet.Builder<Object> into) {
      into.insert(path);
      children(value, structure, into);
    }

    void compareFields(JsonObject from, JsonObject to, Structure structure) {
      int met = 0;
      for (int i = 0; i < to.size(); i++) {
        String name = to.name(i);
        boolean samePlace = i < from.size() && from.name(i).equals(name);
        Object before = samePlace ? from.value(i) : from.get(name);
        met += before == null ? 0 : 1;
        compareField(before, to.value(i), structure, name);
      }
      for (int i = 0; met < from.size() && i < from.size(); i++) {
        if (to.get(from.name(i)) == null) {
          compareField(from.value(i), null, structure, from.name(i));
        }
      }
    }

    private void compareField(
        @Nullable Object from, @Nullable Object to, Structure structure, String name) {
      if (SetOperations.same(from, to) || isUnowned(name)) {
        return;
      }
      Field field = structure instanceof Struct struct ? struct.field(name) : null;
      path.add(field == null ? Elements.field(name) : field.element());
      compare(from, to, field == null ? ObjectFields.child(structure, name) : field.structure());
      leave();
    }

    private boolean isUnowned(String name) {
      return path.isEmpty()
          ? UNOWNED_ROOT.contains(name)
          : path.size() == 1
              && path.getFirst().equals("f:metadata")
              && UNOWNED_METADATA.contains(name);
    }

    private void compareItems(JsonArray from, JsonArray to, Structure list) {
      if (!isGood(from, list) || !isGood(to, list)) {
        if (!from.equals(to)) {
          changed.insert(path);
        }
        return;
      }
      if (list instanceof KeyedList keyed
          && sameElements(from, to, keyed)
          && areDistinct(to, keyed)) {
        for (int i = 0; i < to.size(); i++) {
          compareItem(from.get(i), to.get(i), list);
        }
        return;
      }
      Map<String, Object> before = items(from, list);
      Map<String, Object> now = items(to, list);
      now.forEach((element, item) -> compareItem(before.get(element), item, list));
      before.forEach((element, item) -> {
        if (!now.containsKey(element)) {
          compareItem(item, null, list);
        }
      });
    }

    private boolean isGood(JsonArray list, Structure structure) {
      for (int i = 0; i < list.size(); i++) {
        if (Elements.warning(structure, list.get(i)).isPresent()) {
          whole = false;
          return false;
        }
      }
      return true;
    }

    private static boolean sameElements(JsonArray from, JsonArray to, KeyedList list) {
      if (from.size() != to.size()) {
        return false;
      }
      for (int i = 0; i < to.size(); i++) {
        if (!list.sameElement((JsonObject) from.get(i), (JsonObject) to.get(i))) {
          return false;
        }
      }
      return true;
    }

    /** Whether no two elements of a short list are alike; a long one is not looked at. */
    private static boolean areDistinct(JsonArray list, KeyedList keyed) {
      if (list.size() > FEW) {
        return false;
      }
      for (int i = 0; i < list.size(); i++) {
        for (int j = 0; j < i; j++) {
          if (keyed.sameElement((JsonObject) list.get(i), (JsonObject) list.get(j))) {
            return false;
          }
        }
      }
      return true;
    }

    /** Elements of a list that cannot be told apart. They are owned together, as a whole. */
    private record Alike(List<Object> items) {}

    private static Map<String, Object> items(JsonArray list, Structure structure) {
      Map<String, Object> items = LinkedHashMap.newLinkedHashMap(list.size());
      for (Object item : list.values()) {
        items.merge(Elements.item(structure, item), item, Walk::alike);
      }
      return items;
    }

    private static Alike alike(Object first, Object next) {
      List<Object> items =
          new ArrayList<>(first instanceof Alike(var more) ? more : List.of(first));
      items.add(next);
      return new Alike(items);
    }

    private void compareItem(@Nullable Object from, @Nullable Object to, Structure list) {
      Object item = to == null ? from : to;
      if (item == null || SetOperations.same(from, to)) {
        return;
      }
      path.add(new Item(list, item instanceof Alike(var items) ? items.getFirst() : item));
      if (from instanceof Alike && to instanceof Alike) {
        if (!from.equals(to)) {
          changed.insert(path);
        }
      } else if (from instanceof Alike) {
        compare(null, to, ObjectFields.child(list));
        removed.insert(path);
      } else if (to instanceof Alike) {
        compare(from, null, ObjectFields.child(list));
        changed.insert(path);
      } else {
        compare(from, to, ObjectFields.child(list));
      }
      leave();
    }

    private void children(Object value, Structure structure, FieldSet.Builder<Object> into) {
      if (value instanceof JsonObject object && ObjectFields.isGranularObject(structure)) {
        boolean added = into == changed;
        JsonObject from = added ? JsonObject.EMPTY : object;
        compareFields(from, added ? object : JsonObject.EMPTY, structure);
      } else if (value instanceof JsonArray list
          && ObjectFields.isGranularList(structure)
          && isGood(list, structure)) {
        items(list, structure)
            .forEach((element, item) -> {
              path.add(element);
              if (item instanceof Alike) {
                into.insert(path);
              } else {
                onOneSide(item, ObjectFields.child(structure), into);
              }
              leave();
            });
      }
    }

    /** Whether two leaves are equal; numbers by value, so 1 is 1.0. */
    private static boolean equal(Object left, Object right) {
      return left.equals(right)
          || ((left instanceof JsonNumber || right instanceof JsonNumber)
              && isNumber(left)
              && isNumber(right)
              && Double.parseDouble(left.toString()) == Double.parseDouble(right.toString()));
    }

    private static boolean isNumber(Object value) {
      return value instanceof Long || value instanceof JsonNumber;
    }
  }
}
