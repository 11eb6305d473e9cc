package dev.berth.registry.patch;

import dev.berth.model.tree.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object while a patch changes them. A hash table, so that patching many fields of
 * a large map takes no longer than reading them.
 */
final class PatchedFields {
  private final JsonObject original;
  private final Map<String, Object> values;
  private boolean changed;

  PatchedFields(JsonObject original) {
    this.original = original;
    this.values = LinkedHashMap.newLinkedHashMap(original.size());
    original.forEach(values::put);
  }

  @Nullable Object get(String name) {
    return values.get(name);
  }

  @SuppressWarnings("ReferenceEquality")
  void put(String name, Object value) {
    Object old = values.put(name, value);
    // An object that a merge left as it was is the same one. Comparing others would compare all
    // that is in them, and again for each object that they are in.
    changed |= old == null || (value instanceof JsonObject ? old != value : !old.equals(value));
  }

  void remove(String name) {
    changed |= values.remove(name) != null;
  }

  /** Keeps only the fields that are named. */
  void retain(Set<String> names) {
    changed |= values.keySet().retainAll(names);
  }

  /** The changed object; the original itself if nothing changed. */
  JsonObject build() {
    if (!changed) {
      return original;
    }
    JsonObject.Builder builder = new JsonObject.Builder();
    values.forEach(builder::put);
    return builder.build();
  }
}
