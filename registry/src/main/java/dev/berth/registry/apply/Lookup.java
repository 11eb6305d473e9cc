package dev.berth.registry.apply;

import dev.berth.model.tree.JsonObject;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds many fields of an object that may be large, such as the data of a config map: one by one,
 * each search would go through all of them.
 */
final class Lookup {
  /** Up to this size, searching costs less than a hash table. */
  private static final int SMALL = 16;

  private final JsonObject object;
  private @Nullable Map<String, Object> table;

  Lookup(JsonObject object) {
    this.object = object;
  }

  /** The value of a field, or null if there is no such field. */
  @Nullable Object get(String name) {
    if (object.size() <= SMALL) {
      return object.get(name);
    }
    Map<String, Object> known = table;
    if (known == null) {
      known = HashMap.newHashMap(object.size());
      object.forEach(known::put);
      table = known;
    }
    return known.get(name);
  }
}
