package dev.berth.registry.patch;

import dev.berth.registry.patch.PatchedDocument.Open;
import dev.berth.registry.patch.PatchedDocument.OpenArray;
import dev.berth.registry.patch.PatchedDocument.OpenObject;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A place in a document that a JSON pointer of RFC 6901 names: a field of an object or an index of
 * an array that exist, whether there is a value at the place or not.
 */
final class JsonPlace {
  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");

  private final PatchedDocument document;

  /** The object or array that has the place. */
  private final Open container;

  private final String key;

  private JsonPlace(PatchedDocument document, Open container, String key) {
    this.document = document;
    this.container = container;
    this.key = key;
  }

  /**
   * @param missing the warning when the pointer leads nowhere
   */
  static JsonPlace find(PatchedDocument document, String pointer, String missing) {
    int slash = pointer.indexOf('/');
    Open container = slash < 0 ? null : document.open();
    int at = slash + 1;
    while (container != null) {
      int end = pointer.indexOf('/', at);
      String key = pointer.substring(at, end < 0 ? pointer.length() : end);
      JsonPlace place =
          new JsonPlace(document, container, key.replace("~1", "/").replace("~0", "~"));
      if (end < 0) {
        return place;
      }
      container = place.enter();
      at = end + 1;
    }
    throw PatchException.unprocessable(missing + ": missing value");
  }

  /** The object or array at the place, to be changed; null if there is none. */
  private @Nullable Open enter() {
    Open opened = PatchedDocument.open(get());
    if (opened != null) {
      set(opened);
    }
    return opened;
  }

  String key() {
    return key;
  }

  /** The value at the place, null if there is none for whatever reason. */
  @Nullable Object get() {
    return switch (container) {
      case OpenObject object -> object.fields().get(key);
      case OpenArray array -> {
        Integer index = indexOrNull(key, array.elements().size());
        yield index == null || index >= array.elements().size()
            ? null
            : array.elements().get(index);
      }
    };
  }

  /** The value at the place, null if an object has no such field; a bad index fails. */
  @Nullable Object getChecked(String context) {
    return container instanceof OpenArray array
        ? array.elements().get(index(array.elements().size(), array.elements().size() - 1, context))
        : get();
  }

  /** Whether this is an index at which an array has nothing. */
  boolean isNoElement() {
    return container instanceof OpenArray && get() == null;
  }

  Object require(String context) {
    Object value = getChecked(context);
    if (value == null) {
      throw PatchException.unprocessable(
          context + ": unable to get nonexistent key: " + key() + ": missing value");
    }
    return value;
  }

  /** Inserts the value into an array, or sets it in an object. */
  void add(Object value, String context) {
    if (!(container instanceof OpenArray array)) {
      set(value);
    } else if (key.equals("-")) {
      array.elements().add(value);
    } else if (!INTEGER.matcher(key).matches()) {
      throw PatchException.unprocessable(
          "%s: value was not a proper array index: '%s': %s"
              .formatted(context, key, notAnInteger(key)));
    } else {
      int size = array.elements().size();
      document.insert(array, index(size + 1, size, context), value);
    }
  }

  /** Puts the value in place of the one that is there. */
  void set(Object value) {
    switch (container) {
      case OpenObject object -> object.fields().put(key, value);
      case OpenArray array -> {
        Integer index = indexOrNull(key, array.elements().size());
        array.elements().set(index == null ? 0 : index, value);
      }
    }
  }

  void remove(String context) {
    switch (container) {
      case OpenObject object -> {
        if (object.fields().remove(key) == null) {
          throw PatchException.unprocessable(
              context + ": Unable to remove nonexistent key: " + key + ": missing value");
        }
      }
      case OpenArray array -> {
        int size = array.elements().size();
        document.remove(array, index(size, size - 1, context));
      }
    }
  }

  /**
   * @param size what negative indices count from
   * @param last the greatest index
   */
  private int index(int size, int last, String context) {
    Integer index = indexOrNull(key, size);
    if (index != null && index <= last) {
      return index;
    }
    throw PatchException.unprocessable(
        INTEGER.matcher(key).matches()
            ? "%s: Unable to access invalid index: %s: invalid index referenced"
                .formatted(context, key)
            : context + ": " + notAnInteger(key));
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
}
