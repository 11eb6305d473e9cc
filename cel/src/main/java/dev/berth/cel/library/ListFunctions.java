package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.BYTES;
import static dev.berth.cel.value.CelType.DOUBLE;
import static dev.berth.cel.value.CelType.DURATION;
import static dev.berth.cel.value.CelType.DYN;
import static dev.berth.cel.value.CelType.INT;
import static dev.berth.cel.value.CelType.STRING;
import static dev.berth.cel.value.CelType.TIMESTAMP;
import static dev.berth.cel.value.CelType.UINT;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.CostExceededException;
import dev.berth.cel.value.Numbers;
import dev.berth.cel.value.UnsignedInt;
import dev.berth.cel.value.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Kubernetes' functions of lists, and those of the language's own list library. */
final class ListFunctions {
  private static final CelType A = CelType.parameter("A");
  private static final CelType T = CelType.parameter("T");
  private static final CelType LIST = CelType.list(T);
  private static final Map<String, CelType> COMPARABLE = new LinkedHashMap<>();
  private static final Map<String, Object> ZERO =
      Map.of("int", 0L, "uint", new UnsignedInt(0), "double", 0.0, "duration", Duration.ZERO);

  /** More elements than any expression can afford to look at. */
  private static final long MAX_RANGE = 10_000_000;

  static {
    COMPARABLE.put("int", INT);
    COMPARABLE.put("uint", UINT);
    COMPARABLE.put("double", DOUBLE);
    COMPARABLE.put("bool", BOOL);
    COMPARABLE.put("duration", DURATION);
    COMPARABLE.put("timestamp", TIMESTAMP);
    COMPARABLE.put("string", STRING);
    COMPARABLE.put("bytes", BYTES);
  }

  private ListFunctions() {}

  static void addTo(FunctionTable table) {
    COMPARABLE.forEach((name, type) -> {
      CelType list = CelType.list(type);
      table.add(
          "isSorted",
          member("list_" + name + "_is_sorted_bool", BOOL, args -> isSorted(args[0]), list));
      table.add(
          "max",
          member("list_" + name + "_max_" + name, type, args -> best(args[0], "max", -1), list));
      table.add(
          "min",
          member("list_" + name + "_min_" + name, type, args -> best(args[0], "min", 1), list));
      table.add(
          "sort",
          member("list_" + type.name() + "_sort", list, args -> sortBy(args[0], args[0]), list));
      table.add(
          "@sortByAssociatedKeys",
          member(
              "list_" + type.name() + "_sortByAssociatedKeys",
              LIST,
              args -> sortBy(args[0], args[1]),
              LIST,
              list));
      if (ZERO.containsKey(name)) {
        table.add(
            "sum",
            member(
                "list_" + name + "_sum_" + name,
                type,
                args -> sum(args[0], ZERO.getOrDefault(name, 0L)),
                list));
      }
    });
    table.add(
        "indexOf",
        member("list_a_index_of_int", INT, args -> indexOf(args[0], args[1]), CelType.list(A), A));
    table.add(
        "lastIndexOf",
        member(
            "list_a_last_index_of_int",
            INT,
            args -> lastIndexOf(args[0], args[1]),
            CelType.list(A),
            A));
    reshape(table);
  }

  private static void reshape(FunctionTable table) {
    table.add(
        "slice",
        member(
            "list_slice",
            LIST,
            args -> slice(elements(args[0]), (Long) args[1], (Long) args[2]),
            LIST,
            INT,
            INT));
    CelType nested = CelType.list(LIST);
    table.add(
        "flatten",
        member("list_flatten", LIST, args -> flatten(args[0], 1), nested),
        member(
            "list_flatten_int",
            CelType.list(DYN),
            args -> flatten(args[0], (Long) args[1]),
            CelType.list(DYN),
            INT));
    table.add(
        "lists.range",
        Overload.of("lists_range", CelType.list(INT), args -> range((Long) args[0]), INT));
    table.add("reverse", member("list_reverse", LIST, args -> elements(args[0]).reversed(), LIST));
    table.add("distinct", member("list_distinct", LIST, args -> distinct(args[0]), LIST));
  }

  static List<Object> elements(Object list) {
    List<Object> elements = Values.asList(list);
    if (elements == null) {
      throw CelException.noSuchOverload();
    }
    return elements;
  }

  private static boolean isSorted(Object list) {
    Object previous = null;
    for (Object next : elements(list)) {
      if (previous != null && Values.compare(previous, next) > 0) {
        return false;
      }
      previous = next;
    }
    return true;
  }

  private static Object sum(Object list, Object zero) {
    Object sum = null;
    for (Object next : elements(list)) {
      Object number = Values.fromTree(next);
      sum = sum == null ? number : Numbers.add(sum, number);
    }
    return sum == null ? zero : sum;
  }

  private static Object best(Object list, String name, int worse) {
    Object best = null;
    for (Object next : elements(list)) {
      if (best == null || Integer.signum(Values.compare(best, next)) == worse) {
        best = next;
      }
    }
    if (best == null) {
      throw new CelException(name + " called on empty list");
    }
    return Values.fromTree(best);
  }

  private static long indexOf(Object list, Object item) {
    List<Object> elements = elements(list);
    for (int i = 0; i < elements.size(); i++) {
      if (Values.equal(elements.get(i), item)) {
        return i;
      }
    }
    return -1;
  }

  private static long lastIndexOf(Object list, Object item) {
    List<Object> elements = elements(list);
    for (int i = elements.size() - 1; i >= 0; i--) {
      if (Values.equal(elements.get(i), item)) {
        return i;
      }
    }
    return -1;
  }

  private static Object slice(List<Object> list, long start, long end) {
    String call = "cannot slice(" + start + ", " + end + "), ";
    if (start < 0 || end < 0) {
      throw new CelException(call + "negative indexes not supported");
    }
    if (start > end) {
      throw new CelException(call + "start index must be less than or equal to end index");
    }
    if (end > list.size()) {
      throw new CelException(call + "list is length " + list.size());
    }
    return list.subList((int) start, (int) end);
  }

  private static List<Object> flatten(Object list, long depth) {
    if (depth < 0) {
      throw new CelException("level must be non-negative");
    }
    List<Object> flat = new ArrayList<>();
    for (Object element : elements(list)) {
      if (depth > 0 && Values.isList(element)) {
        flat.addAll(flatten(element, depth - 1));
      } else {
        flat.add(element);
      }
    }
    return flat;
  }

  private static Object range(long count) {
    if (count > MAX_RANGE) {
      // It would cost more than any limit allows, and the memory besides.
      throw new CostExceededException();
    }
    return LongStream.range(0, count).mapToObj(i -> (Object) i).toList();
  }

  private static Object distinct(Object list) {
    List<Object> unique = new ArrayList<>();
    for (Object element : elements(list)) {
      if (unique.stream().noneMatch(other -> Values.equal(element, other))) {
        unique.add(element);
      }
    }
    return unique;
  }

  private record Keyed(Object key, Object value) {}

  private static Object sortBy(Object list, Object keys) {
    List<Object> values = elements(list);
    List<Object> by = elements(keys);
    if (values.size() != by.size()) {
      throw new CelException(
          "@sortByAssociatedKeys() expected a list of the same size as the associated keys list,"
              + " but got %d and %d elements respectively".formatted(values.size(), by.size()));
    }
    List<Keyed> keyed = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Object key = Values.fromTree(by.get(i));
      if (!COMPARABLE.containsKey(Values.typeOf(key).toString())) {
        throw new CelException("list elements must be comparable");
      }
      if (i > 0 && !Values.typeName(key).equals(Values.typeName(keyed.getFirst().key()))) {
        throw new CelException("list elements must have the same type");
      }
      keyed.add(new Keyed(key, values.get(i)));
    }
    keyed.sort((a, b) -> Values.compare(a.key(), b.key()));
    return keyed.stream().map(Keyed::value).toList();
  }
}
