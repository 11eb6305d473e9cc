package dev.berth.model.tree;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * What a function made of trees that it was given lately. The pods of a template have one
 * specification, and what is worked out for the first of them holds for all; finding that a tree is
 * known costs one walk over it.
 *
 * <p>The function must depend on nothing but the tree, the order of its fields included. Where it
 * throws, nothing is kept.
 *
 * <p>A cache with one slot per hash, as in {@link Shapes}: bounded and without a lock. Large trees
 * are not kept. May be used from any thread.
 */
public final class TreeMemo<R> {
  private static final int SLOTS = 128;

  /** In characters, roughly: a pod of a few containers. */
  private static final int LARGEST = 4096;

  private final AtomicReferenceArray<Known<R>> table = new AtomicReferenceArray<>(SLOTS);
  private final Function<JsonObject, R> function;

  private record Known<R>(JsonObject tree, R result) {}

  public TreeMemo(Function<JsonObject, R> function) {
    this.function = function;
  }

  /** What the function makes of a tree. */
  public R of(JsonObject tree) {
    int hash = hash(tree) * 0x9E3779B9;
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Known<R> known = table.getAcquire(slot);
    if (known != null && areSame(known.tree, tree)) {
      return known.result;
    }
    R result = function.apply(tree);
    if (TreeSize.isAtMost(LARGEST, tree)) {
      table.setRelease(slot, new Known<>(tree, result));
    }
    return result;
  }

  /** Of the values alone: trees with other names and the same values are hardly ever met. */
  private static int hash(Object value) {
    return switch (value) {
      case String text -> text.hashCode();
      case JsonObject object -> {
        int hash = 1;
        for (int i = 0; i < object.size(); i++) {
          hash = 31 * hash + hash(object.value(i));
        }
        yield hash;
      }
      case JsonArray array -> {
        int hash = 7;
        for (int i = 0; i < array.size(); i++) {
          hash = 31 * hash + hash(array.get(i));
        }
        yield hash;
      }
      case Object leaf -> leaf.hashCode();
    };
  }

  /** Equal, with fields in the same order. */
  @SuppressWarnings("ReferenceEquality") // quick where trees share parts
  private static boolean areSame(Object one, Object other) {
    if (one == other) {
      return true;
    }
    return switch (one) {
      case JsonObject object ->
          other instanceof JsonObject that
              && object.hasSameNamesAs(that)
              && sameValues(object, that);
      case JsonArray array ->
          other instanceof JsonArray that && array.size() == that.size() && sameItems(array, that);
      case Object leaf -> leaf.equals(other);
    };
  }

  private static boolean sameValues(JsonObject one, JsonObject other) {
    for (int i = 0; i < one.size(); i++) {
      if (!areSame(one.value(i), other.value(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameItems(JsonArray one, JsonArray other) {
    for (int i = 0; i < one.size(); i++) {
      if (!areSame(one.get(i), other.get(i))) {
        return false;
      }
    }
    return true;
  }
}
