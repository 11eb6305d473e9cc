package dev.berth.kinds.resource;

import dev.berth.model.tree.JsonObject;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object while they are brought into shape, one after the other: it is walked
 * once, however many of them go, and stays the object that it is if none changes.
 */
final class ShapedFields {
  private final JsonObject object;

  /** Null as long as all fields are as they were. */
  private String @Nullable [] names;

  private Object[] values = {};
  private int size;

  ShapedFields(JsonObject object) {
    this.object = object;
  }

  /** The next field of the object as it is, or with another value. */
  @SuppressWarnings("ReferenceEquality") // comparing trees would cost what sharing them saves
  void keep(int index, Object value) {
    if (names == null && value != object.value(index)) {
      copyUntil(index);
    }
    if (names != null) {
      names[size] = object.name(index);
      values[size++] = value;
    }
  }

  /** Leaves the next field of the object out. */
  void drop(int index) {
    if (names == null) {
      copyUntil(index);
    }
  }

  private void copyUntil(int index) {
    String[] kept = new String[object.size()];
    values = new Object[object.size()];
    for (size = 0; size < index; size++) {
      kept[size] = object.name(size);
      values[size] = object.value(size);
    }
    names = kept;
  }

  JsonObject build() {
    return names == null ? object : JsonObject.ofDistinct(names, Arrays.copyOf(values, size), size);
  }
}
