package dev.berth.registry.apply;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.apply.Structure.KeyedList;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of objects that were created lately. Most new objects are made from templates, and two
 * of one template have the same fields, whatever is in them: finding that out costs a walk over
 * both, collecting and sorting the fields costs ten times that.
 *
 * <p>What is kept of an object is bounded: its long texts are left out, and objects with very many
 * fields are not kept at all. May be used from any thread.
 */
final class KnownFields {
  private static final int KEPT = 8;
  private static final int MOST_NODES = 1_000;
  private static final int LONGEST_TEXT = 128;

  private final Structure structure;
  private final JsonObject zero;
  private final AtomicReferenceArray<@Nullable Known> recent = new AtomicReferenceArray<>(KEPT);
  private final AtomicInteger next = new AtomicInteger();

  private record Known(JsonObject sample, FieldSet fields) {}

  /**
   * @param zero an object before anybody says anything, whose fields are none of a new object's
   */
  KnownFields(Structure structure, JsonObject zero) {
    this.structure = structure;
    this.zero = zero;
  }

  /**
   * The fields of a new object.
   *
   * @param collect finds them the long way
   */
  FieldSet of(JsonObject created, Function<JsonObject, FieldSet> collect) {
    for (int i = 0; i < KEPT; i++) {
      Known known = recent.getAcquire(i);
      if (known != null && alikeNew(known.sample, created)) {
        return known.fields;
      }
    }
    FieldSet fields = collect.apply(created);
    if (size(created) <= MOST_NODES) {
      int slot = Math.floorMod(next.getAndIncrement(), KEPT);
      recent.setRelease(slot, new Known((JsonObject) sample(created), fields));
    }
    return fields;
  }

  /** Whether two objects have the same fields, not counting those that nobody owns. */
  private boolean alikeNew(JsonObject left, JsonObject right) {
    if (!left.hasSameNamesAs(right)) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      String name = left.name(i);
      Structure child = ObjectFields.child(structure, name);
      boolean alike =
          name.equals("metadata")
              ? alikeFields(
                  left.object(name),
                  right.object(name),
                  child,
                  zero.get(name),
                  Comparison.UNOWNED_METADATA)
              : alike(left.value(i), right.value(i), child, zero.get(name));
      if (!alike) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether two values have the same fields. When in doubt, they have not.
   *
   * @param zero what is there before anybody says anything, if anything is
   */
  private static boolean alike(
      Object left, Object right, Structure structure, @Nullable Object zero) {
    if ((left == JsonNull.NULL) != (right == JsonNull.NULL)) {
      return false;
    }
    if (ObjectFields.isGranularObject(structure)) {
      if (left instanceof JsonObject a && right instanceof JsonObject b) {
        return alikeFields(a, b, structure, zero, Set.of());
      }
      return !(left instanceof JsonObject || right instanceof JsonObject);
    }
    if (ObjectFields.isGranularList(structure)) {
      return left instanceof JsonArray a
          && right instanceof JsonArray b
          && alikeLists(a, b, structure);
    }
    return zero == null || left.equals(zero) == right.equals(zero);
  }

  private static boolean alikeFields(
      JsonObject left,
      JsonObject right,
      Structure structure,
      @Nullable Object zero,
      Set<String> unowned) {
    if (!left.hasSameNamesAs(right)) {
      return false;
    }
    JsonObject zeros = zero instanceof JsonObject object ? object : JsonObject.EMPTY;
    for (int i = 0; i < left.size(); i++) {
      String name = left.name(i);
      if (!unowned.contains(name)
          && !alike(
              left.value(i),
              right.value(i),
              ObjectFields.child(structure, name),
              zeros.get(name))) {
        return false;
      }
    }
    return true;
  }

  private static boolean alikeLists(JsonArray left, JsonArray right, Structure structure) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      boolean same =
          structure instanceof KeyedList keyed
              ? alikeElements(left.get(i), right.get(i), keyed)
              : left.get(i).equals(right.get(i));
      if (!same) {
        return false;
      }
    }
    return true;
  }

  private static boolean alikeElements(Object left, Object right, KeyedList list) {
    return left instanceof JsonObject a
        && right instanceof JsonObject b
        && list.sameElement(a, b)
        && alike(a, b, list.element(), null);
  }

  /** How many values there are. A long name counts for many: it is kept as it is. */
  private static int size(Object value) {
    return switch (value) {
      case JsonObject object -> {
        int size = 1;
        for (int i = 0; i < object.size() && size <= MOST_NODES; i++) {
          size += object.name(i).length() / LONGEST_TEXT + size(object.value(i));
        }
        yield size;
      }
      case JsonArray array -> {
        int size = 1;
        for (int i = 0; i < array.size() && size <= MOST_NODES; i++) {
          size += size(array.get(i));
        }
        yield size;
      }
      default -> 1;
    };
  }

  /** A value without its long texts, which no element of a list is told apart by. */
  private static Object sample(Object value) {
    return switch (value) {
      case JsonObject object -> {
        Object[] values = new Object[object.size()];
        Arrays.setAll(values, i -> sample(object.value(i)));
        yield JsonObject.ofDistinct(object.names().toArray(new String[0]), values, values.length);
      }
      case JsonArray array -> {
        Object[] values = new Object[array.size()];
        Arrays.setAll(values, i -> sample(array.get(i)));
        yield JsonArray.of(values);
      }
      case String text -> text.length() > LONGEST_TEXT ? "" : text;
      default -> value;
    };
  }
}
