package dev.berth.model.core;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.TreeSize;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the readers of views share. */
public final class Views {
  private static final int SLOTS = 4096;

  /** In characters, roughly; a container with a few dozen variables. */
  private static final int LARGEST = 4096;

  /** One slot per hash, where a newcomer replaces what was there: bounded, and without a lock. */
  private static final AtomicReferenceArray<Object> SHARED = new AtomicReferenceArray<>(SLOTS);

  private Views() {}

  /**
   * An equal value, the same one for most callers. The pods of a template have much in common, and
   * there are many of them; what they have in common is held once. What is large is not held here.
   *
   * @param tree what the value was read from
   */
  @SuppressWarnings("unchecked") // What is equal is of one type, or an empty list.
  static <T> T share(T value, Object tree) {
    if (!TreeSize.isAtMost(LARGEST, tree)) {
      return value;
    }
    int hash = value.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Object known = SHARED.getAcquire(slot);
    if (value.equals(known)) {
      return (T) known;
    }
    SHARED.setRelease(slot, value);
    return value;
  }

  /** The elements of an array of objects, each read: a list that is shared. */
  static <T> List<T> shared(JsonArray array, Function<JsonObject, T> reader) {
    return share(list(array, reader), array);
  }

  /** The elements of an array of objects, each read; the same empty list for every empty array. */
  @SuppressWarnings("unchecked") // The array is filled with what the reader returns, and only that.
  public static <T> List<T> list(JsonArray array, Function<JsonObject, T> reader) {
    List<JsonObject> objects = array.objects();
    Object[] read = new Object[objects.size()];
    Arrays.setAll(read, i -> reader.apply(objects.get(i)));
    return (List<T>) List.of(read);
  }

  /** An integer, or null if absent. */
  static @Nullable Long integer(JsonObject object, String field) {
    var value = object.integer(field);
    return value.isPresent() ? value.getAsLong() : null;
  }
}
