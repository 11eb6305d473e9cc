package dev.berth.registry.apply;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Union, difference and intersection of the trees of {@link FieldSet}s. They share what stays as it
 * was: a result equal to the left operand is that very tree.
 */
final class SetOperations {
  private SetOperations() {}

  /**
   * @param member whether the trees stand for a path, so that they can be in the set themselves; a
   *     whole set does not
   */
  static JsonObject union(JsonObject left, JsonObject right, boolean member) {
    if (same(left, right)) {
      return left;
    }
    Map<String, Object> added = null;
    for (int i = 0; i < right.size(); i++) {
      String name = right.name(i);
      JsonObject theirs = (JsonObject) right.value(i);
      if (name.equals(FieldSet.SELF)) {
        continue;
      }
      JsonObject ours = (JsonObject) left.get(name);
      JsonObject both = ours == null ? theirs : union(ours, theirs, true);
      if (ours == null || !same(both, ours)) {
        added = added == null ? new HashMap<>() : added;
        added.put(name, both);
      }
    }
    boolean wasMember = member && FieldSet.isMember(left);
    boolean isMember = wasMember || (member && FieldSet.isMember(right));
    if (added == null && wasMember == isMember) {
      return left;
    }
    TreeMap<String, Object> sorted = new TreeMap<>(Elements.ORDER);
    left.forEach(sorted::put);
    if (added != null) {
      sorted.putAll(added);
    }
    sorted.remove(FieldSet.SELF);
    JsonObject.Builder builder = new JsonObject.Builder();
    if (isMember && !sorted.isEmpty()) {
      builder.put(FieldSet.SELF, JsonObject.EMPTY);
    }
    sorted.forEach(builder::put);
    return builder.build();
  }

  /**
   * What is in the left only, null if that is nothing.
   *
   * @param below whether a path in the right takes with it all that lead on from it
   */
  static @Nullable JsonObject difference(
      JsonObject left, JsonObject right, boolean member, boolean below) {
    boolean wasMember = member && FieldSet.isMember(left);
    boolean taken = member && FieldSet.isMember(right);
    if (taken && below) {
      return null;
    }
    List<String> names = new ArrayList<>(left.size());
    List<Object> values = new ArrayList<>(left.size());
    boolean changed = wasMember && taken;
    for (int i = 0; i < left.size(); i++) {
      String name = left.name(i);
      if (name.equals(FieldSet.SELF)) {
        continue;
      }
      JsonObject ours = (JsonObject) left.value(i);
      JsonObject theirs = (JsonObject) right.get(name);
      JsonObject rest = theirs == null ? ours : difference(ours, theirs, true, below);
      changed |= rest == null || !same(rest, ours);
      if (rest != null) {
        names.add(name);
        values.add(rest);
      }
    }
    return changed ? node(wasMember && !taken, names, values) : left;
  }

  /** What is in both, null if that is nothing. */
  static @Nullable JsonObject intersection(JsonObject left, JsonObject right, boolean member) {
    List<String> names = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < left.size(); i++) {
      String name = left.name(i);
      JsonObject theirs = name.equals(FieldSet.SELF) ? null : (JsonObject) right.get(name);
      JsonObject both =
          theirs == null ? null : intersection((JsonObject) left.value(i), theirs, true);
      if (both != null) {
        names.add(name);
        values.add(both);
      }
    }
    return node(member && FieldSet.isMember(left) && FieldSet.isMember(right), names, values);
  }

  /** A tree of names that are sorted already. */
  static @Nullable JsonObject node(boolean member, List<String> names, List<Object> values) {
    if (names.isEmpty()) {
      return member ? JsonObject.EMPTY : null;
    }
    JsonObject.Builder builder = new JsonObject.Builder();
    if (member) {
      builder.put(FieldSet.SELF, JsonObject.EMPTY);
    }
    for (int i = 0; i < names.size(); i++) {
      builder.put(names.get(i), values.get(i));
    }
    return builder.build();
  }

  /** Whether two trees are one object, which is all that sharing needs to know. */
  @SuppressWarnings("ReferenceEquality")
  static boolean same(@Nullable Object left, @Nullable Object right) {
    return left == right;
  }
}
