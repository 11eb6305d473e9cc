package dev.berth.registry.apply;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Merges an applied configuration into a live object: what is owned in parts is merged part by
 * part, a leaf is replaced. Null removes a leaf, and says nothing of an object or a list that has
 * parts of others.
 *
 * <p>Elements of lists stand in the order that was applied; those that were not applied stay behind
 * what they stood behind.
 */
final class AppliedMerge {
  private final boolean keepsNulls;

  private AppliedMerge(boolean keepsNulls) {
    this.keepsNulls = keepsNulls;
  }

  static JsonObject merge(JsonObject live, JsonObject applied, Structure structure) {
    return new AppliedMerge(false).mergeFields(live, applied, structure);
  }

  /** The same for kinds whose objects may hold nulls, which their schemas then allow or do not. */
  static JsonObject mergeKeepingNulls(JsonObject live, JsonObject applied, Structure structure) {
    return new AppliedMerge(true).mergeFields(live, applied, structure);
  }

  private @Nullable Object merge(@Nullable Object live, Object applied, Structure structure) {
    if (applied == JsonNull.NULL) {
      return live == JsonNull.NULL || isFilledContainer(live, structure)
          ? live
          : keepsNulls ? JsonNull.NULL : null;
    }
    if (applied instanceof JsonObject object && ObjectFields.isGranularObject(structure)) {
      return mergeFields(
          live instanceof JsonObject old ? old : JsonObject.EMPTY, object, structure);
    }
    if (applied instanceof JsonArray list && ObjectFields.isGranularList(structure)) {
      return mergeItems(live instanceof JsonArray old ? old : JsonArray.EMPTY, list, structure);
    }
    return applied.equals(live) ? live : applied;
  }

  private static boolean isFilledContainer(@Nullable Object live, Structure structure) {
    return (live instanceof JsonObject object
            && !object.isEmpty()
            && ObjectFields.isGranularObject(structure))
        || (live instanceof JsonArray list
            && !list.isEmpty()
            && ObjectFields.isGranularList(structure));
  }

  private JsonObject mergeFields(JsonObject live, JsonObject applied, Structure structure) {
    Map<String, Object> merged = LinkedHashMap.newLinkedHashMap(live.size() + applied.size());
    live.forEach(merged::put);
    boolean changed = false;
    for (int i = 0; i < applied.size(); i++) {
      String name = applied.name(i);
      Object old = merged.get(name);
      Object value = merge(old, applied.value(i), ObjectFields.child(structure, name));
      if (value == null) {
        changed |= merged.remove(name) != null;
      } else if (!SetOperations.same(value, old)) {
        merged.put(name, value);
        changed = true;
      }
    }
    if (!changed) {
      return live;
    }
    JsonObject.Builder builder = new JsonObject.Builder();
    merged.forEach(builder::put);
    return builder.build();
  }

  private record Item(String element, Object value) {}

  private JsonArray mergeItems(JsonArray live, JsonArray applied, Structure list) {
    List<Item> old = items(live, list);
    List<Item> wanted = items(applied, list);
    Map<String, Object> oldByElement = byElement(old);
    Map<String, Object> wantedByElement = byElement(wanted);
    Deque<String> shared = new ArrayDeque<>();
    for (Item item : wanted) {
      if (oldByElement.containsKey(item.element)) {
        shared.add(item.element);
      }
    }
    List<Object> merged = new ArrayList<>(old.size() + wanted.size());
    int next = 0;
    for (Item item : wanted) {
      // What was not applied goes before the next element that both have, as it did before; an
      // element that comes too early in the live list is met again in its new place.
      while (next < old.size() && !old.get(next).element.equals(item.element)) {
        String element = old.get(next).element;
        if (!wantedByElement.containsKey(element)) {
          merged.add(old.get(next).value);
        } else if (element.equals(shared.peek())) {
          break;
        }
        next++;
      }
      if (next < old.size() && old.get(next).element.equals(item.element)) {
        next++;
      }
      if (item.element.equals(shared.peek())) {
        shared.remove();
      }
      Object value = merge(oldByElement.get(item.element), item.value, ObjectFields.child(list));
      merged.add(value == null ? item.value : value);
    }
    for (Item item : old.subList(next, old.size())) {
      if (!wantedByElement.containsKey(item.element)) {
        merged.add(item.value);
      }
    }
    return live.values().equals(merged) ? live : JsonArray.copyOf(merged);
  }

  /** The elements of a list; one that has no keys is like no other. */
  private static List<Item> items(JsonArray list, Structure structure) {
    List<Item> items = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      Object value = list.get(i);
      boolean good = Elements.warning(structure, value).isEmpty();
      items.add(new Item(good ? Elements.item(structure, value) : "?" + i, value));
    }
    return items;
  }

  private static Map<String, Object> byElement(List<Item> items) {
    Map<String, Object> byElement = LinkedHashMap.newLinkedHashMap(items.size());
    items.forEach(item -> byElement.putIfAbsent(item.element, item.value));
    return byElement;
  }
}
