package dev.berth.cel.eval;

import dev.berth.cel.value.ListSemantics;
import dev.berth.cel.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Equality and sum of lists that a schema declares to be sets or maps: order does not matter. */
final class ListEquality {
  private ListEquality() {}

  static boolean equal(Object a, Object b, ListSemantics semantics) {
    List<Object> first = Values.asList(a);
    List<Object> second = Values.asList(b);
    if (first == null || second == null || first.size() != second.size()) {
      return false;
    }
    return first.stream()
        .allMatch(item -> {
          int at = find(second, item, semantics);
          return at >= 0 && Values.equal(item, second.get(at));
        });
  }

  /** Items of the right replace those of the left that they stand for; new ones are added. */
  static List<Object> unite(List<Object> left, List<Object> right, ListSemantics semantics) {
    List<Object> united = new ArrayList<>(left);
    for (Object item : right) {
      int at = find(united, item, semantics);
      if (at < 0) {
        united.add(item);
      } else {
        united.set(at, item);
      }
    }
    return united;
  }

  private static int find(List<Object> list, Object item, ListSemantics semantics) {
    for (int i = 0; i < list.size(); i++) {
      if (semantics.kind() == ListSemantics.Kind.SET
          ? Values.equal(list.get(i), item)
          : hasSameKeys(list.get(i), item, semantics.keys())) {
        return i;
      }
    }
    return -1;
  }

  private static boolean hasSameKeys(Object a, Object b, List<String> keys) {
    if (!Values.isMap(a) || !Values.isMap(b)) {
      return false;
    }
    for (String key : keys) {
      Object first = Values.lookUp(a, key);
      Object second = Values.lookUp(b, key);
      boolean same =
          (first == null || second == null)
              ? Objects.equals(first, second)
              : Values.equal(first, second);
      if (!same) {
        return false;
      }
    }
    return true;
  }
}
