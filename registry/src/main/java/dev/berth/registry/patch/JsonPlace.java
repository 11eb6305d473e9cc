package dev.berth.registry.patch;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in a document that a JSON pointer of RFC 6901 names: a field of an object or an index of
 * an array that exist, whether there is a value at the place or not. Changing it makes a new
 * document.
 */
final class JsonPlace {
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");

  /** The objects and arrays from the document down to the one that has the place. */
  private final List<Object> containers;

  private final String[] keys;

  private JsonPlace(List<Object> containers, String[] keys) {
    this.containers = containers;
    this.keys = keys;
  }

  /**
   * @param missing the warning when the pointer leads nowhere
   */
  static JsonPlace find(Object document, String pointer, String missing) {
    int slash = pointer.indexOf('/');
    if (slash < 0) {
      throw PatchException.unprocessable(missing + ": missing value");
    }
    String[] keys = pointer.substring(slash + 1).split("/", -1);
    for (int i = 0; i < keys.length; i++) {
      keys[i] = keys[i].replace("~1", "/").replace("~0", "~");
    }
    List<Object> containers = new ArrayList<>();
    @Nullable Object container = document;
    for (int i = 0; isContainer(container); i++) {
      containers.add(container);
      if (i == keys.length - 1) {
        return new JsonPlace(containers, keys);
      }
      container = existing(container, keys[i]);
    }
    throw PatchException.unprocessable(missing + ": missing value");
  }

  private static boolean isContainer(@Nullable Object value) {
    return value instanceof JsonObject || value instanceof JsonArray;
  }

  /** The value of a field or at an index, or null if the key is bad or there is none. */
  private static @Nullable Object existing(@Nullable Object container, String key) {
    if (container instanceof JsonArray array) {
      Integer index = indexOrNull(key, array.size());
      return index == null || index >= array.size() ? null : array.get(index);
    }
    return container instanceof JsonObject object ? object.get(key) : null;
  }

  String key() {
    return keys[keys.length - 1];
  }

  private Object container() {
    return containers.getLast();
  }

  /** The value at the place, null if there is none for whatever reason. */
  @Nullable Object get() {
    return existing(container(), key());
  }

  /** The value at the place, null if an object has no such field; a bad index fails. */
  @Nullable Object getChecked(String context) {
    return container() instanceof JsonArray array
        ? array.get(index(array.size(), array.size() - 1, context))
        : get();
  }

  Object require(String context) {
    Object value = getChecked(context);
    if (value == null) {
      throw PatchException.unprocessable(
          context + ": unable to get nonexistent key: " + key() + ": missing value");
    }
    return value;
  }

  /** The document with the value inserted into an array, or set in an object. */
  Object add(Object value, String context) {
    if (!(container() instanceof JsonArray array)) {
      return set(value);
    }
    if (key().equals("-")) {
      return withContainer(array.append(value));
    }
    if (!INTEGER.matcher(key()).matches()) {
      throw PatchException.unprocessable(
          "%s: value was not a proper array index: '%s': %s"
              .formatted(context, key(), notAnInteger(key())));
    }
    int index = index(array.size() + 1, array.size(), context);
    List<Object> values = new ArrayList<>(array.values());
    values.add(index, value);
    return withContainer(JsonArray.copyOf(values));
  }

  /** The document with the value in place of the one that is there. */
  Object set(Object value) {
    if (container() instanceof JsonArray array) {
      Integer index = indexOrNull(key(), array.size());
      return withContainer(array.with(index == null ? 0 : index, value));
    }
    return withContainer(((JsonObject) container()).with(key(), value));
  }

  Object remove(String context) {
    if (container() instanceof JsonArray array) {
      return withContainer(array.without(index(array.size(), array.size() - 1, context)));
    }
    JsonObject object = (JsonObject) container();
    if (!object.has(key())) {
      throw PatchException.unprocessable(
          context + ": Unable to remove nonexistent key: " + key() + ": missing value");
    }
    return withContainer(object.without(key()));
  }

  /**
   * @param size what negative indices count from
   * @param last the greatest index
   */
  private int index(int size, int last, String context) {
    Integer index = indexOrNull(key(), size);
    if (index != null && index <= last) {
      return index;
    }
    throw PatchException.unprocessable(
        INTEGER.matcher(key()).matches()
            ? "%s: Unable to access invalid index: %s: invalid index referenced"
                .formatted(context, key())
            : context + ": " + notAnInteger(key()));
  }

  private static @Nullable Integer indexOrNull(String key, int size) {
    if (key.length() > 10 || !INTEGER.matcher(key).matches()) {
      return null;
    }
    long index = Long.parseLong(key);
    long fromStart = index < 0 ? index + size : index;
    return fromStart < 0 || fromStart > Integer.MAX_VALUE ? null : Integer.valueOf((int) fromStart);
  }

  private static String notAnInteger(String key) {
    return "strconv.Atoi: parsing \"" + key + "\": invalid syntax";
  }

  private Object withContainer(Object changed) {
    Object child = changed;
    for (int i = containers.size() - 2; i >= 0; i--) {
      Object container = containers.get(i);
      if (container instanceof JsonArray array) {
        Integer index = indexOrNull(keys[i], array.size());
        child = array.with(index == null ? 0 : index, child);
      } else {
        child = ((JsonObject) container).with(keys[i], child);
      }
    }
    return child;
  }
}
