package dev.berth.model.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a value stands in a tree, written as Kubernetes writes it in error messages: {@code
 * spec.containers[0].name}, {@code metadata.labels[app.kubernetes.io/name]}.
 *
 * <p>A path is read, changed and removed without any of it having to exist: reading what is absent
 * finds nothing, setting it makes the objects on the way.
 */
public final class FieldPath {
  /** In the place of an index: the step is a field of an object. */
  private static final int FIELD = -1;

  /** In the place of an index: the step is a field whose name its user chose, such as a label. */
  private static final int KEY = -2;

  public static final FieldPath ROOT = new FieldPath(null, "", FIELD);

  private final @Nullable FieldPath parent;
  private final String name;

  /** The index in an array, or {@link #FIELD} or {@link #KEY}. */
  private final int index;

  private FieldPath(@Nullable FieldPath parent, String name, int index) {
    this.parent = parent;
    this.name = name;
    this.index = index;
  }

  /** The path of nested fields; names may hold any characters. */
  public static FieldPath of(String... names) {
    FieldPath path = ROOT;
    for (String name : names) {
      path = path.field(name);
    }
    return path;
  }

  public FieldPath field(String field) {
    return new FieldPath(this, field, FIELD);
  }

  /** Whether a name can be told apart from its neighbours without brackets. */
  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      switch (name.charAt(i)) {
        case '.', '[', ']', '/' -> {
          return false;
        }
        default -> {}
      }
    }
    return !name.isEmpty();
  }

  /**
   * The index, or which kind of name it is: a field with an odd name is one that its user chose.
   * Looked at when it is shown or compared, since far more paths are made than shown.
   */
  private int kind() {
    return index == FIELD && !isPlain(name) ? KEY : index;
  }

  /** A field of a map, which is written in brackets whatever its name. */
  public FieldPath key(String key) {
    return new FieldPath(this, key, KEY);
  }

  public FieldPath index(int element) {
    if (element < 0) {
      throw new IllegalArgumentException("an index is not negative: " + element);
    }
    return new FieldPath(this, "", element);
  }

  /**
   * The inverse of {@link #toString}: brackets with digits are an index, with anything else a key.
   */
  public static FieldPath parse(String text) {
    FieldPath path = ROOT;
    int at = 0;
    while (at < text.length()) {
      if (text.charAt(at) == '[') {
        int end = text.indexOf(']', at);
        if (end < 0) {
          throw new JsonException("field path \"" + text + "\": a bracket is not closed");
        }
        String inside = text.substring(at + 1, end);
        path =
            inside.matches("[0-9]{1,9}") ? path.index(Integer.parseInt(inside)) : path.key(inside);
        at = end + 1;
        if (at < text.length() && text.charAt(at) == '.') {
          at++;
        }
      } else {
        int end = at;
        while (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '[') {
          end++;
        }
        if (end == at) {
          throw new JsonException("field path \"" + text + "\": a name is empty");
        }
        path = path.field(text.substring(at, end));
        at = end < text.length() && text.charAt(end) == '.' ? end + 1 : end;
        if (at == text.length() && end < at) {
          throw new JsonException("field path \"" + text + "\": a name is empty");
        }
      }
    }
    return path;
  }

  /** The value at this path, or null if there is none. */
  public @Nullable Object get(Object tree) {
    if (parent == null) {
      return tree;
    }
    Object container = parent.get(tree);
    return container == null ? null : child(container);
  }

  private @Nullable Object child(Object container) {
    if (index < 0) {
      return container instanceof JsonObject object ? object.get(name) : null;
    }
    return container instanceof JsonArray array && index < array.size() ? array.get(index) : null;
  }

  /** The tree with this path set; shares everything beside the path, and is itself if unchanged. */
  public Object set(Object tree, Object value) {
    if (parent == null) {
      return value;
    }
    Object container = parent.get(tree);
    Object changed =
        switch (container) {
          case null -> placeIn(index < 0 ? JsonObject.EMPTY : JsonArray.EMPTY, value);
          case JsonNull _ -> placeIn(index < 0 ? JsonObject.EMPTY : JsonArray.EMPTY, value);
          case Object present -> placeIn(present, value);
        };
    return parent.set(tree, changed);
  }

  private Object placeIn(Object container, Object value) {
    if (index < 0) {
      if (container instanceof JsonObject object) {
        return object.with(name, value);
      }
      throw JsonException.expected(JsonKind.OBJECT, parentText(), container);
    }
    if (!(container instanceof JsonArray array)) {
      throw JsonException.expected(JsonKind.ARRAY, parentText(), container);
    }
    if (index > array.size()) {
      throw new JsonException(
          this + ": the array has " + array.size() + " elements, so the next index is that");
    }
    return index == array.size() ? array.append(value) : array.with(index, value);
  }

  /** The tree without what is at this path; itself if there is nothing. */
  public Object remove(Object tree) {
    if (parent == null) {
      throw new IllegalArgumentException("a tree cannot be removed from itself");
    }
    Object container = parent.get(tree);
    if (container == null || child(container) == null) {
      return tree;
    }
    Object changed =
        container instanceof JsonObject object
            ? object.without(name)
            : ((JsonArray) container).without(index);
    return parent.set(tree, changed);
  }

  private String parentText() {
    return parent == null || parent.parent == null ? "document" : parent.toString();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldPath that
        && kind() == that.kind()
        && name.equals(that.name)
        && Objects.equals(parent, that.parent);
  }

  @Override
  public int hashCode() {
    return Objects.hash(parent, name, kind());
  }

  @Override
  public String toString() {
    return text(true);
  }

  /** As Kubernetes names fields that it does not know: {@code metadata.labels.app}. */
  public String dotted() {
    return text(false);
  }

  private String text(boolean bracketsKeys) {
    List<FieldPath> steps = new ArrayList<>();
    for (FieldPath step = this; step.parent != null; step = step.parent) {
      steps.add(step);
    }
    StringBuilder text = new StringBuilder();
    for (FieldPath step : steps.reversed()) {
      int kind = step.kind();
      if (kind >= 0) {
        text.append('[').append(kind).append(']');
      } else if (kind == KEY && bracketsKeys) {
        text.append('[').append(step.name).append(']');
      } else {
        text.append(text.isEmpty() ? "" : ".").append(step.name);
      }
    }
    return text.toString();
  }
}
