package dev.berth.model.tree;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A JSON array: an immutable sequence of values of the types that {@link JsonKind} lists. */
public final class JsonArray {
  public static final JsonArray EMPTY = new JsonArray(new Object[0]);

  private final Object[] values;

  /** Takes the array over. */
  JsonArray(Object[] values) {
    this.values = values;
  }

  public static JsonArray of(Object... values) {
    return copyOf(Arrays.asList(values));
  }

  public static JsonArray copyOf(List<?> values) {
    values.forEach(JsonKind::of);
    return values.isEmpty() ? EMPTY : new JsonArray(values.toArray());
  }

  public int size() {
    return values.length;
  }

  public boolean isEmpty() {
    return values.length == 0;
  }

  public Object get(int index) {
    return values[index];
  }

  /** The values as a read-only view. */
  public List<Object> values() {
    return new View<>(Object.class, values);
  }

  /** The values as objects; fails on the first that is something else. */
  public List<JsonObject> objects() {
    return all(JsonKind.OBJECT, JsonObject.class);
  }

  /** The values as strings; fails on the first that is something else. */
  public List<String> texts() {
    return all(JsonKind.STRING, String.class);
  }

  private <T> List<T> all(JsonKind kind, Class<T> type) {
    for (int i = 0; i < values.length; i++) {
      if (!type.isInstance(values[i])) {
        throw JsonException.expected(kind, "[" + i + "]", values[i]);
      }
    }
    return new View<>(type, values);
  }

  /** This array with one value replaced; itself if an equal value is there already. */
  public JsonArray with(int index, Object value) {
    JsonKind.of(value);
    if (values[index].equals(value)) {
      return this;
    }
    Object[] changed = values.clone();
    changed[index] = value;
    return new JsonArray(changed);
  }

  /** This array with each of its objects changed; itself if none changes. */
  @SuppressWarnings("ReferenceEquality") // what does not change is the same object
  public JsonArray mapObjects(UnaryOperator<JsonObject> change) {
    List<JsonObject> objects = objects();
    Object @Nullable [] changed = null;
    for (int i = 0; i < values.length; i++) {
      JsonObject object = change.apply(objects.get(i));
      if (object != values[i]) {
        changed = changed == null ? values.clone() : changed;
        changed[i] = object;
      }
    }
    return changed == null ? this : new JsonArray(changed);
  }

  /** This array with one value more, at its end. */
  public JsonArray append(Object value) {
    JsonKind.of(value);
    Object[] more = Arrays.copyOf(values, values.length + 1);
    more[values.length] = value;
    return new JsonArray(more);
  }

  /** This array without the value at an index. */
  public JsonArray without(int index) {
    Object[] fewer = new Object[values.length - 1];
    System.arraycopy(values, 0, fewer, 0, index);
    System.arraycopy(values, index + 1, fewer, index, fewer.length - index);
    return new JsonArray(fewer);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other || (other instanceof JsonArray that && Arrays.equals(values, that.values));
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  /** The array as JSON. */
  @Override
  public String toString() {
    return JsonWriter.toText(this);
  }

  /** A typed, read-only view of values that were checked to be of that type. */
  private static final class View<T> extends AbstractList<T> implements RandomAccess {
    private final Class<T> type;
    private final Object[] values;

    View(Class<T> type, Object[] values) {
      this.type = type;
      this.values = values;
    }

    @Override
    public T get(int index) {
      return type.cast(values[index]);
    }

    @Override
    public int size() {
      return values.length;
    }
  }
}
