package dev.berth.registry.patch;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document while a JSON patch changes it. An object or an array is copied when the first
 * operation reaches into it, and changed in place from then on: thousands of operations on one
 * large map cost what reading it costs.
 */
final class PatchedDocument {
  /**
   * By how many places elements of arrays may be moved in all, since inserting one moves all after
   * it. Less than a tenth of a second, and more than any patch that means well.
   */
  private static final long MOST_MOVED = 50_000_000;

  private Object root;
  private long moved;

  /** An object or an array whose parts can be changed; the parts may be such, or trees. */
  sealed interface Open permits OpenObject, OpenArray {}

  record OpenObject(JsonObject original, Map<String, Object> fields) implements Open {}

  record OpenArray(JsonArray original, List<Object> elements) implements Open {}

  PatchedDocument(Object root) {
    this.root = root;
  }

  Object root() {
    return root;
  }

  void replace(Object document) {
    root = document;
  }

  /** The document's own object or array, to be changed; null if it is neither. */
  @Nullable Open open() {
    Open opened = open(root);
    root = opened == null ? root : opened;
    return opened;
  }

  /** The value to change, where it can be; whoever holds it must hold the result from then on. */
  static @Nullable Open open(@Nullable Object value) {
    return switch (value) {
      case Open opened -> opened;
      case JsonObject object -> {
        Map<String, Object> fields = LinkedHashMap.newLinkedHashMap(object.size());
        object.forEach(fields::put);
        yield new OpenObject(object, fields);
      }
      case JsonArray array -> new OpenArray(array, new ArrayList<>(array.values()));
      case null, default -> null;
    };
  }

  void insert(OpenArray array, int index, Object value) {
    countMoved(array.elements.size() - index);
    array.elements.add(index, value);
  }

  void remove(OpenArray array, int index) {
    countMoved(array.elements.size() - index);
    array.elements.remove(index);
  }

  private void countMoved(int elements) {
    moved += elements;
    if (moved > MOST_MOVED) {
      throw PatchException.tooLarge(
          "The patch moves more than " + MOST_MOVED + " elements of arrays to other places");
    }
  }

  /** The whole document as a tree. */
  Object tree() {
    return tree(root, JsonLimits.MAX_DEPTH);
  }

  /** A value as a tree; itself, or what it was, where nothing was changed. */
  static Object tree(Object value) {
    return tree(value, JsonLimits.MAX_DEPTH);
  }

  private static Object tree(Object value, int levels) {
    if (levels < 0) {
      // Moving a value into itself, again and again, nests without end.
      throw PatchException.unprocessable(
          "the document is nested deeper than " + JsonLimits.MAX_DEPTH + " levels");
    }
    return switch (value) {
      case OpenObject(JsonObject original, Map<String, Object> fields) -> {
        JsonObject.Builder built = new JsonObject.Builder();
        fields.forEach((name, field) -> built.put(name, tree(field, levels - 1)));
        JsonObject object = built.build();
        yield isSame(object, original) ? original : object;
      }
      case OpenArray(JsonArray original, List<Object> elements) -> {
        List<Object> built = new ArrayList<>(elements.size());
        elements.forEach(element -> built.add(tree(element, levels - 1)));
        JsonArray array = JsonArray.copyOf(built);
        yield isSame(array, original) ? original : array;
      }
      case JsonObject object -> {
        for (int i = 0; i < object.size(); i++) {
          checkDepth(object.value(i), levels - 1);
        }
        yield object;
      }
      case JsonArray array -> {
        for (int i = 0; i < array.size(); i++) {
          checkDepth(array.get(i), levels - 1);
        }
        yield array;
      }
      default -> value;
    };
  }

  private static void checkDepth(Object value, int levels) {
    if (value instanceof JsonObject || value instanceof JsonArray) {
      var _ = tree(value, levels);
    }
  }

  /** Whether an object has the very values of another: what changed has others. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(JsonObject left, JsonObject right) {
    if (!left.hasSameNamesAs(right)) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (left.value(i) != right.value(i)) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(JsonArray left, JsonArray right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (left.get(i) != right.get(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a tree equals a value of the document; takes no longer than reading the tree. */
  static boolean equals(Object tree, Object value) {
    return switch (value) {
      case OpenObject(_, Map<String, Object> fields) -> {
        if (!(tree instanceof JsonObject object) || object.size() != fields.size()) {
          yield false;
        }
        for (int i = 0; i < object.size(); i++) {
          Object field = fields.get(object.name(i));
          if (field == null || !equals(object.value(i), field)) {
            yield false;
          }
        }
        yield true;
      }
      case OpenArray(_, List<Object> elements) -> {
        if (!(tree instanceof JsonArray array) || array.size() != elements.size()) {
          yield false;
        }
        for (int i = 0; i < array.size(); i++) {
          if (!equals(array.get(i), elements.get(i))) {
            yield false;
          }
        }
        yield true;
      }
      default -> tree.equals(value);
    };
  }
}
