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
 * where there is a difference. Null is taken for absent. Fields that nobody owns are not compared.
 *
 * @param changed the fields that were added, with all below them, and the leaves that differ
 * @param removed the fields that are gone, with all below them
 */
record Comparison(FieldSet changed, FieldSet removed) {
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
    walk.compareFields(from, to, structure, true);
    return new Comparison(walk.changed.build(), walk.removed.build());
  }

  Comparison minusAllBelow(FieldSet ignored) {
    return ignored.isEmpty()
        ? this
        : new Comparison(changed.minusAllBelow(ignored), removed.minusAllBelow(ignored));
  }

  boolean isEmpty() {
    return changed.isEmpty() && removed.isEmpty();
  }

  private static final class Walk {
    final FieldSet.Builder<Object> changed = new FieldSet.Builder<>(Walk::text);
    final FieldSet.Builder<Object> removed = new FieldSet.Builder<>(Walk::text);

    /** Elements as strings, or as {@link Item}s that were not needed as strings yet. */
    private final List<Object> path = new ArrayList<>();

    private record Item(Structure list, Object value) {}

    private static String text(Object element) {
      return element instanceof Item item ? Elements.item(item.list, item.value) : (String) element;
    }

    private void leave() {
      path.removeLast();
      changed.leave(path.size());
      removed.leave(path.size());
    }

    /**
     * @param alwaysThere whether an object or a list here counts as empty when it is absent
     */
    private void compare(
        @Nullable Object before, @Nullable Object now, Structure structure, boolean alwaysThere) {
      Object from = before == JsonNull.NULL ? null : before;
      Object to = now == JsonNull.NULL ? null : now;
      if (from != null && to != null) {
        compareBoth(from, to, structure, alwaysThere);
      } else if (to != null) {
        onOneSide(to, structure, changed, alwaysThere);
      } else if (from != null) {
        onOneSide(from, structure, removed, alwaysThere);
      }
    }

    private void compareBoth(Object from, Object to, Structure structure, boolean alwaysThere) {
      if (from instanceof JsonObject before
          && to instanceof JsonObject now
          && ObjectFields.isGranularObject(structure)) {
        compareFields(before, now, structure, alwaysThere);
      } else if (from instanceof JsonArray before
          && to instanceof JsonArray now
          && ObjectFields.isGranularList(structure)) {
        compareItems(before, now, structure);
      } else if (!equal(from, to)) {
        changed.insert(path);
        children(from, structure, removed, false);
        children(to, structure, changed, false);
      }
    }

    private void onOneSide(
        Object value, Structure structure, FieldSet.Builder<Object> into, boolean alwaysThere) {
      if (!alwaysThere) {
        into.insert(path);
      }
      children(value, structure, into, alwaysThere);
    }

    void compareFields(JsonObject from, JsonObject to, Structure structure, boolean alwaysThere) {
      int met = 0;
      for (int i = 0; i < to.size(); i++) {
        String name = to.name(i);
        boolean samePlace = i < from.size() && from.name(i).equals(name);
        Object before = samePlace ? from.value(i) : from.get(name);
        met += before == null ? 0 : 1;
        compareField(before, to.value(i), structure, name, alwaysThere);
      }
      for (int i = 0; met < from.size() && i < from.size(); i++) {
        if (to.get(from.name(i)) == null) {
          compareField(from.value(i), null, structure, from.name(i), alwaysThere);
        }
      }
    }

    private void compareField(
        @Nullable Object from,
        @Nullable Object to,
        Structure structure,
        String name,
        boolean alwaysThere) {
      if (SetOperations.same(from, to) || isUnowned(name)) {
        return;
      }
      Field field = structure instanceof Struct struct ? struct.field(name) : null;
      path.add(field == null ? Elements.field(name) : field.element());
      if (field == null) {
        compare(from, to, ObjectFields.child(structure, name), false);
      } else {
        boolean granular =
            ObjectFields.isGranularObject(field.structure())
                || ObjectFields.isGranularList(field.structure());
        compare(from, to, field.structure(), alwaysThere && field.alwaysThere() && granular);
      }
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
      if (list instanceof KeyedList keyed && sameElements(from, to, keyed)) {
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

    private static boolean isGood(JsonArray list, Structure structure) {
      for (int i = 0; i < list.size(); i++) {
        if (Elements.warning(structure, list.get(i)).isPresent()) {
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

    /** The elements of a list; of those that are alike, the first. */
    private static Map<String, Object> items(JsonArray list, Structure structure) {
      Map<String, Object> items = LinkedHashMap.newLinkedHashMap(list.size());
      for (Object item : list.values()) {
        items.putIfAbsent(Elements.item(structure, item), item);
      }
      return items;
    }

    private void compareItem(@Nullable Object from, @Nullable Object to, Structure list) {
      Object item = to == null ? from : to;
      if (item != null && !SetOperations.same(from, to)) {
        path.add(new Item(list, item));
        compare(from, to, ObjectFields.child(list), false);
        leave();
      }
    }

    private void children(
        Object value, Structure structure, FieldSet.Builder<Object> into, boolean alwaysThere) {
      if (value instanceof JsonObject object && ObjectFields.isGranularObject(structure)) {
        boolean added = into == changed;
        JsonObject from = added ? JsonObject.EMPTY : object;
        compareFields(from, added ? object : JsonObject.EMPTY, structure, alwaysThere);
      } else if (value instanceof JsonArray list
          && ObjectFields.isGranularList(structure)
          && isGood(list, structure)) {
        items(list, structure)
            .forEach((element, item) -> {
              path.add(element);
              onOneSide(item, ObjectFields.child(structure), into, false);
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
