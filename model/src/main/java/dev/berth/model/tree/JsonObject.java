package dev.berth.model.tree;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object: an immutable sequence of named values, in the order they were written.
 *
 * <p>Objects are what most of the server's memory holds, so they are an array of values and a
 * {@link Shape}, which objects with the same fields share (see {@link Shapes}); changing a field
 * makes a new object that shares every other value.
 *
 * <p>Values are of the types that {@link JsonKind} lists. Order is kept but means nothing: objects
 * with the same fields in another order are equal.
 */
public final class JsonObject {
  public static final JsonObject EMPTY = new JsonObject(Shape.EMPTY, new Object[0]);

  /** Beyond this size, comparing names pair by pair costs more than a hash table. */
  private static final int SMALL = 16;

  private final Shape shape;
  private final Object[] values;

  /** Takes the array over. */
  JsonObject(Shape shape, Object[] values) {
    this.shape = shape;
    this.values = values;
  }

  public static JsonObject of(String name, Object value) {
    return new Builder().put(name, value).build();
  }

  /**
   * An object of the first fields in two arrays, for those who read other forms than JSON.
   *
   * @param names must differ from each other; copied
   * @param values taken over if there are no more than that
   */
  public static JsonObject ofDistinct(String[] names, Object[] values, int size) {
    if (size == 0) {
      return EMPTY;
    }
    Shape known = Shapes.find(names, 0, size);
    return new JsonObject(
        known == null ? Shapes.share(Arrays.copyOf(names, size)) : known,
        values.length == size ? values : Arrays.copyOf(values, size));
  }

  /** An object with a string for each entry, such as labels. */
  public static JsonObject ofStrings(Map<String, String> entries) {
    Builder builder = new Builder();
    entries.forEach(builder::put);
    return builder.build();
  }

  public int size() {
    return values.length;
  }

  public boolean isEmpty() {
    return values.length == 0;
  }

  public String name(int index) {
    return shape.names()[index];
  }

  public Object value(int index) {
    return values[index];
  }

  /** What objects with the same fields share. */
  Shape shape() {
    return shape;
  }

  Object[] copyOfValues() {
    return values.clone();
  }

  public List<String> names() {
    return List.of(shape.names());
  }

  /** Whether another object has the same fields in the same order; quick for those that do. */
  @SuppressWarnings("ReferenceEquality") // most objects with the same names share their array
  public boolean hasSameNamesAs(JsonObject other) {
    return shape == other.shape || Arrays.equals(shape.names(), other.shape.names());
  }

  public void forEach(BiConsumer<String, Object> action) {
    String[] names = shape.names();
    for (int i = 0; i < names.length; i++) {
      action.accept(names[i], values[i]);
    }
  }

  /** The fields that are texts, in the order of their names. */
  public SortedMap<String, String> toStrings() {
    SortedMap<String, String> texts = new TreeMap<>();
    forEach((name, value) -> {
      if (value instanceof String text) {
        texts.put(name, text);
      }
    });
    return Collections.unmodifiableSortedMap(texts);
  }

  /** Whether a field has a value: it is neither absent nor null. */
  public boolean has(String name) {
    int index = indexOf(name);
    return index >= 0 && values[index] != JsonNull.NULL;
  }

  /** The value of a field, or null if there is no such field. */
  public @Nullable Object get(String name) {
    int index = indexOf(name);
    return index < 0 ? null : values[index];
  }

  /** The object in a field; empty if the field is absent or null. */
  public JsonObject object(String name) {
    return switch (get(name)) {
      case null -> EMPTY;
      case JsonNull _ -> EMPTY;
      case JsonObject object -> object;
      case Object other -> throw JsonException.expected(JsonKind.OBJECT, name, other);
    };
  }

  /** The array in a field; empty if the field is absent or null. */
  public JsonArray array(String name) {
    return switch (get(name)) {
      case null -> JsonArray.EMPTY;
      case JsonNull _ -> JsonArray.EMPTY;
      case JsonArray array -> array;
      case Object other -> throw JsonException.expected(JsonKind.ARRAY, name, other);
    };
  }

  /** The string in a field; null if the field is absent or null. */
  public @Nullable String text(String name) {
    return switch (get(name)) {
      case null -> null;
      case JsonNull _ -> null;
      case String text -> text;
      case Object other -> throw JsonException.expected(JsonKind.STRING, name, other);
    };
  }

  public String text(String name, String whenAbsent) {
    String text = text(name);
    return text == null ? whenAbsent : text;
  }

  /** The integer in a field; empty if the field is absent or null. */
  public OptionalLong integer(String name) {
    return switch (get(name)) {
      case null -> OptionalLong.empty();
      case JsonNull _ -> OptionalLong.empty();
      case Long number -> OptionalLong.of(number);
      case JsonNumber number ->
          throw new JsonException(name + ": expected a 64-bit integer, found " + number);
      case Object other -> throw JsonException.expected(JsonKind.NUMBER, name, other);
    };
  }

  public boolean flag(String name, boolean whenAbsent) {
    return switch (get(name)) {
      case null -> whenAbsent;
      case JsonNull _ -> whenAbsent;
      case Boolean flag -> flag;
      case Object other -> throw JsonException.expected(JsonKind.BOOLEAN, name, other);
    };
  }

  /** This object with a field set; itself if the field holds an equal value already. */
  public JsonObject with(String name, Object value) {
    JsonKind.of(value);
    int index = indexOf(name);
    if (index >= 0) {
      if (values[index].equals(value)) {
        return this;
      }
      Object[] changed = values.clone();
      changed[index] = value;
      return new JsonObject(shape, changed);
    }
    String[] names = shape.names();
    String[] moreNames = Arrays.copyOf(names, names.length + 1);
    Object[] moreValues = Arrays.copyOf(values, values.length + 1);
    moreNames[names.length] = name;
    moreValues[values.length] = value;
    return new JsonObject(Shapes.share(moreNames), moreValues);
  }

  /**
   * This object with the object in one of its fields changed; itself if that does not change. A
   * field that is absent is changed from the empty object, and stays absent if that remains empty.
   */
  public JsonObject update(String name, UnaryOperator<JsonObject> change) {
    JsonObject before = object(name);
    JsonObject after = change.apply(before);
    return after.isEmpty() && before.isEmpty() ? this : with(name, after);
  }

  /** This object with those fields of another that it lacks; itself if it lacks none. */
  public JsonObject withMissing(JsonObject others) {
    Builder all = null;
    for (int i = 0; i < others.size(); i++) {
      if (!has(others.name(i))) {
        if (all == null) {
          all = new Builder();
          forEach(all::put);
        }
        all.put(others.name(i), others.value(i));
      }
    }
    return all == null ? this : all.build();
  }

  /** This object without a field; itself if it has no such field. */
  public JsonObject without(String name) {
    int index = indexOf(name);
    if (index < 0) {
      return this;
    }
    String[] names = shape.names();
    if (names.length == 1) {
      return EMPTY;
    }
    String[] fewerNames = new String[names.length - 1];
    Object[] fewerValues = new Object[values.length - 1];
    System.arraycopy(names, 0, fewerNames, 0, index);
    System.arraycopy(names, index + 1, fewerNames, index, fewerNames.length - index);
    System.arraycopy(values, 0, fewerValues, 0, index);
    System.arraycopy(values, index + 1, fewerValues, index, fewerValues.length - index);
    return new JsonObject(Shapes.share(fewerNames), fewerValues);
  }

  private int indexOf(String name) {
    return shape.indexOf(name);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    if (!(other instanceof JsonObject that) || values.length != that.values.length) {
      return false;
    }
    return hasSameNamesAs(that) ? Arrays.equals(values, that.values) : equalsInAnotherOrder(that);
  }

  private boolean equalsInAnotherOrder(JsonObject that) {
    String[] names = shape.names();
    if (names.length > SMALL) {
      return asMap().equals(that.asMap());
    }
    for (int i = 0; i < names.length; i++) {
      if (!values[i].equals(that.get(names[i]))) {
        return false;
      }
    }
    return true;
  }

  private Map<String, Object> asMap() {
    Map<String, Object> map = HashMap.newHashMap(values.length);
    forEach(map::put);
    return map;
  }

  @Override
  public int hashCode() {
    int hash = 0;
    String[] names = shape.names();
    for (int i = 0; i < names.length; i++) {
      hash += names[i].hashCode() ^ values[i].hashCode();
    }
    return hash;
  }

  /** The object as JSON. */
  @Override
  public String toString() {
    return JsonWriter.toText(this);
  }

  /** Collects fields in order; setting one again replaces its value. */
  public static final class Builder {
    private String[] names = new String[SMALL / 2];
    private Object[] values = new Object[SMALL / 2];
    private int size;

    /** Where each name is, once there are too many to look at all of them. */
    private @Nullable Map<String, Integer> places;

    public Builder put(String name, Object value) {
      JsonKind.of(value);
      int place = place(name);
      if (place < 0) {
        add(name, value);
      } else {
        values[place] = value;
      }
      return this;
    }

    private int place(String name) {
      if (places != null) {
        return places.getOrDefault(name, -1);
      }
      for (int i = 0; i < size; i++) {
        if (names[i].equals(name)) {
          return i;
        }
      }
      return -1;
    }

    private void add(String name, Object value) {
      if (size == names.length) {
        names = Arrays.copyOf(names, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      if (size == SMALL) {
        places = HashMap.newHashMap(2 * SMALL);
        for (int i = 0; i < size; i++) {
          places.put(names[i], i);
        }
      }
      if (places != null) {
        places.put(name, size);
      }
      names[size] = name;
      values[size++] = value;
    }

    /** Sets a field unless the value is null, as optional fields are left out on the wire. */
    public Builder putIfPresent(String name, @Nullable Object value) {
      return value == null ? this : put(name, value);
    }

    public JsonObject build() {
      return ofDistinct(names, values.length == size ? values.clone() : values, size);
    }
  }
}
