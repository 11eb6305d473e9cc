package dev.berth.wire;

import dev.berth.model.tree.JsonObject;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Collects the entries of a map; of a key that comes twice, the last counts. Most are small. */
final class MapEntries {
  /** Beyond this, looking a key up among the others costs more than a hash table. */
  private static final int SMALL = 16;

  private String[] keys = new String[4];
  private Object[] values = new Object[4];
  private int size;
  private JsonObject.@Nullable Builder large;

  void put(String key, Object value) {
    if (large != null) {
      large.put(key, value);
      return;
    }
    for (int i = 0; i < size; i++) {
      if (keys[i].equals(key)) {
        values[i] = value;
        return;
      }
    }
    if (size == SMALL) {
      large = new JsonObject.Builder();
      for (int i = 0; i < size; i++) {
        large.put(keys[i], values[i]);
      }
      large.put(key, value);
      return;
    }
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, 2 * size);
      values = Arrays.copyOf(values, 2 * size);
    }
    keys[size] = key;
    values[size++] = value;
  }

  JsonObject object() {
    return large == null
        ? JsonObject.ofDistinct(keys, Arrays.copyOf(values, size), size)
        : large.build();
  }
}
