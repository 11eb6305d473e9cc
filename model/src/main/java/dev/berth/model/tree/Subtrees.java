package dev.berth.model.tree;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

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

  /** The specifications of objects that were created lately. */
  private static final TreeMemo<JsonObject> SPECS =
      new TreeMemo<>(spec -> new Subtrees().parts(spec, JsonObject.EMPTY));

  /** Of the value that was shared last: its hash, and of how many values it is made. */
  private int hash;

  private int weight;

  private Subtrees() {}

  /**
   * An equal object that shares what it can with others. Its specification is often one as a whole
   * that others were created with.
   */
  public static JsonObject shareNew(JsonObject object) {
    Subtrees subtrees = new Subtrees();
    Object[] shared = object.copyOfValues();
    for (int i = 0; i < shared.length; i++) {
      shared[i] =
          object.name(i).equals("spec") && shared[i] instanceof JsonObject spec
              ? SPECS.of(spec)
              : subtrees.share(shared[i], null);
    }
    return new JsonObject(object.shape(), shared);
  }

  /**
   * An equal object that shares what it can with others.
   *
   * @param before what the object was made from: what it has from there is left alone
   */
  public static JsonObject share(JsonObject object, JsonObject before) {
    return new Subtrees().parts(object, before);
  }

  @SuppressWarnings("ReferenceEquality") // what is equal but another tree is to be shared
  private Object share(Object value, @Nullable Object before) {
    if (value == before) {
      weight = HEAVIEST;
      return value;
    }
    return switch (value) {
      case String text -> {
        hash = text.hashCode();
        weight = text.length() > Shapes.LONGEST_STRING ? HEAVIEST : 1;
        yield Shapes.share(text);
      }
      case JsonObject object when !object.isEmpty() ->
          known(parts(object, before instanceof JsonObject was ? was : JsonObject.EMPTY));
      case JsonArray array when !array.isEmpty() ->
          known(parts(array, before instanceof JsonArray was ? was : JsonArray.EMPTY));
      case Object leaf -> {
        hash = leaf.hashCode();
        weight = 1;
        yield leaf;
      }
    };
  }

  /** The object with its values shared; itself if they are already. */
  @SuppressWarnings("ReferenceEquality")
  private JsonObject parts(JsonObject object, JsonObject before) {
    boolean sameFields = object.shape() == before.shape();
    Object @Nullable [] shared = null;
    int allHash = 1;
    int allWeight = object.shape().isCommon() ? 1 : HEAVIEST;
    for (int i = 0; i < object.size(); i++) {
      Object value = object.value(i);
      Object one = share(value, sameFields ? before.value(i) : before.get(object.name(i)));
      if (one != value) {
        shared = shared == null ? object.copyOfValues() : shared;
        shared[i] = one;
      }
      allHash = 31 * (31 * allHash + object.name(i).hashCode()) + hash;
      allWeight += weight;
    }
    hash = allHash;
    weight = allWeight;
    return shared == null ? object : new JsonObject(object.shape(), shared);
  }

  @SuppressWarnings("ReferenceEquality")
  private JsonArray parts(JsonArray array, JsonArray before) {
    Object @Nullable [] shared = null;
    int allHash = 7;
    int allWeight = 1;
    for (int i = 0; i < array.size(); i++) {
      Object value = array.get(i);
      Object one = share(value, i < before.size() ? before.get(i) : null);
      if (one != value) {
        shared = shared == null ? array.values().toArray() : shared;
        shared[i] = one;
      }
      allHash = 31 * allHash + hash;
      allWeight += weight;
    }
    hash = allHash;
    weight = allWeight;
    return shared == null ? array : new JsonArray(shared);
  }

  /** The same tree as others have, or this one, which others will then have. */
  private Object known(Object tree) {
    if (weight > HEAVIEST) {
      return tree;
    }
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Object known = table.getAcquire(slot);
    if (known != null && areSame(known, tree)) {
      return known;
    }
    table.setRelease(slot, tree);
    return tree;
  }

  private static boolean areSame(Object known, Object tree) {
    if (known instanceof JsonObject one && tree instanceof JsonObject other) {
      return one.hasSameNamesAs(other) && areSame(one.size(), one::value, other::value);
    }
    return known instanceof JsonArray one
        && tree instanceof JsonArray other
        && one.size() == other.size()
        && areSame(one.size(), one::get, other::get);
  }

  /**
   * Parts that are trees are shared already, so that only the same are equal; those that have equal
   * fields in another order are not meant.
   */
  @SuppressWarnings("ReferenceEquality")
  private static boolean areSame(int size, IntFunction<Object> these, IntFunction<Object> those) {
    for (int i = 0; i < size; i++) {
      Object one = these.apply(i);
      boolean isTree = one instanceof JsonObject || one instanceof JsonArray;
      if (isTree ? one != those.apply(i) : !one.equals(those.apply(i))) {
        return false;
      }
    }
    return true;
  }
}
