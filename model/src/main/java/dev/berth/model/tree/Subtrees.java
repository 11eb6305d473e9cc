package dev.berth.model.tree;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;

/**
 * Shares what whole trees have in common: pods of one template differ in a few strings, and their
 * containers, tolerations and volumes can be the same trees in memory.
 *
 * <p>The table is a cache with one slot per hash, as in {@link Shapes}: bounded, without a lock,
 * and at worst something is held twice. It keeps no subtree that is large or has a long text in it,
 * so that it never holds much. What is returned is equal to what was given.
 */
public final class Subtrees {
  private static final int SLOTS = 1 << 14;

  /** More values than that, and a subtree is rarely met again as a whole. */
  private static final int HEAVIEST = 100;

  private static final AtomicReferenceArray<Object> table = new AtomicReferenceArray<>(SLOTS);

  /** Of the value that was shared last: its hash, and of how many values it is made. */
  private int hash;

  private int weight;

  private Subtrees() {}

  /**
   * An equal object that shares what it can with others.
   *
   * @param before what the object was made from: fields that it has from there are shared already
   */
  @SuppressWarnings("ReferenceEquality") // an equal field that is another tree is to be shared
  public static JsonObject share(JsonObject object, JsonObject before) {
    Subtrees subtrees = new Subtrees();
    Object[] values = new Object[object.size()];
    for (int i = 0; i < values.length; i++) {
      Object value = object.value(i);
      values[i] = value == before.get(object.name(i)) ? value : subtrees.share(value);
    }
    return new JsonObject(object.shape(), values);
  }

  private Object share(Object value) {
    return switch (value) {
      case String text -> {
        hash = text.hashCode();
        weight = text.length() > Shapes.LONGEST_STRING ? HEAVIEST : 1;
        yield Shapes.share(text);
      }
      case JsonObject object -> object.isEmpty() ? leaf(JsonObject.EMPTY) : shareObject(object);
      case JsonArray array -> array.isEmpty() ? leaf(JsonArray.EMPTY) : shareArray(array);
      case Object other -> leaf(other);
    };
  }

  private Object leaf(Object value) {
    hash = value.hashCode();
    weight = 1;
    return value;
  }

  private Object shareObject(JsonObject object) {
    Object[] shared = new Object[object.size()];
    int allHash = 1;
    int allWeight = 1;
    for (int i = 0; i < shared.length; i++) {
      shared[i] = share(object.value(i));
      allHash = 31 * (31 * allHash + object.name(i).hashCode()) + hash;
      allWeight += weight;
    }
    hash = allHash;
    weight = allWeight;
    if (allWeight > HEAVIEST) {
      return new JsonObject(object.shape(), shared);
    }
    int slot = slot(allHash);
    if (table.getAcquire(slot) instanceof JsonObject known
        && known.hasSameNamesAs(object)
        && areSame(known::value, shared)) {
      return known;
    }
    JsonObject made = new JsonObject(object.shape(), shared);
    table.setRelease(slot, made);
    return made;
  }

  private Object shareArray(JsonArray array) {
    Object[] shared = new Object[array.size()];
    int allHash = 7;
    int allWeight = 1;
    for (int i = 0; i < shared.length; i++) {
      shared[i] = share(array.get(i));
      allHash = 31 * allHash + hash;
      allWeight += weight;
    }
    hash = allHash;
    weight = allWeight;
    if (allWeight > HEAVIEST) {
      return new JsonArray(shared);
    }
    int slot = slot(allHash);
    if (table.getAcquire(slot) instanceof JsonArray known
        && known.size() == shared.length
        && areSame(known::get, shared)) {
      return known;
    }
    JsonArray made = new JsonArray(shared);
    table.setRelease(slot, made);
    return made;
  }

  /**
   * Parts that are trees are shared already, so that only the same are equal; those that have equal
   * fields in another order are not meant.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean areSame(IntFunction<Object> known, Object[] values) {
    for (int i = 0; i < values.length; i++) {
      Object one = values[i];
      boolean isTree = one instanceof JsonObject || one instanceof JsonArray;
      if (isTree ? one != known.apply(i) : !one.equals(known.apply(i))) {
        return false;
      }
    }
    return true;
  }

  private static int slot(int hash) {
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }
}
