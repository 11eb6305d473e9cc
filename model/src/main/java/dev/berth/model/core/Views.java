package dev.berth.model.core;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the views' readers share. */
final class Views {
  private Views() {}

  /** The elements of an array of objects, each read; the same empty list for every empty array. */
  @SuppressWarnings("unchecked") // The array is filled with what the reader returns, and only that.
  static <T> List<T> list(JsonArray array, Function<JsonObject, T> reader) {
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
