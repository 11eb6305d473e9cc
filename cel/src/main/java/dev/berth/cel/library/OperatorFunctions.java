package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.BYTES;
import static dev.berth.cel.value.CelType.DOUBLE;
import static dev.berth.cel.value.CelType.DURATION;
import static dev.berth.cel.value.CelType.INT;
import static dev.berth.cel.value.CelType.STRING;
import static dev.berth.cel.value.CelType.TIMESTAMP;
import static dev.berth.cel.value.CelType.UINT;

import dev.berth.cel.library.Overload.Implementation;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Declares the operators. Those that a plan has nodes of its own for are only declared here: their
 * overloads say which types they take, and their cost depends on them.
 */
final class OperatorFunctions {
  private static final Implementation PLANNED =
      _ -> {
        throw new IllegalStateException("an operator is evaluated by its node");
      };
  private static final CelType A = CelType.parameter("A");
  private static final CelType B = CelType.parameter("B");
  private static final CelType LIST = CelType.list(A);
  private static final CelType MAP = CelType.map(A, B);

  private OperatorFunctions() {}

  static void addTo(FunctionTable table) {
    logic(table);
    arithmetic(table);
    comparisons(table);
    containers(table);
  }

  private static void logic(FunctionTable table) {
    table.add("_?_:_", Overload.of("conditional", A, PLANNED, BOOL, A, A));
    table.add("_&&_", Overload.of("logical_and", BOOL, PLANNED, BOOL, BOOL));
    table.add("_||_", Overload.of("logical_or", BOOL, PLANNED, BOOL, BOOL));
    table.add("!_", Overload.of("logical_not", BOOL, PLANNED, BOOL));
    table.add("@not_strictly_false", Overload.of("not_strictly_false", BOOL, PLANNED, BOOL));
    table.add("_==_", Overload.of("equals", BOOL, PLANNED, A, A));
    table.add("_!=_", Overload.of("not_equals", BOOL, PLANNED, A, A));
  }

  private static void arithmetic(FunctionTable table) {
    table.add(
        "_+_",
        Overload.of("add_bytes", BYTES, PLANNED, BYTES, BYTES),
        Overload.of("add_double", DOUBLE, PLANNED, DOUBLE, DOUBLE),
        Overload.of("add_duration_duration", DURATION, PLANNED, DURATION, DURATION),
        Overload.of("add_duration_timestamp", TIMESTAMP, PLANNED, DURATION, TIMESTAMP),
        Overload.of("add_timestamp_duration", TIMESTAMP, PLANNED, TIMESTAMP, DURATION),
        Overload.of("add_int64", INT, PLANNED, INT, INT),
        Overload.of("add_list", LIST, PLANNED, LIST, LIST),
        Overload.of("add_string", STRING, PLANNED, STRING, STRING),
        Overload.of("add_uint64", UINT, PLANNED, UINT, UINT));
    table.add(
        "_-_",
        Overload.of("subtract_double", DOUBLE, PLANNED, DOUBLE, DOUBLE),
        Overload.of("subtract_duration_duration", DURATION, PLANNED, DURATION, DURATION),
        Overload.of("subtract_int64", INT, PLANNED, INT, INT),
        Overload.of("subtract_timestamp_duration", TIMESTAMP, PLANNED, TIMESTAMP, DURATION),
        Overload.of("subtract_timestamp_timestamp", DURATION, PLANNED, TIMESTAMP, TIMESTAMP),
        Overload.of("subtract_uint64", UINT, PLANNED, UINT, UINT));
    table.add(
        "_*_",
        Overload.of("multiply_double", DOUBLE, PLANNED, DOUBLE, DOUBLE),
        Overload.of("multiply_int64", INT, PLANNED, INT, INT),
        Overload.of("multiply_uint64", UINT, PLANNED, UINT, UINT));
    table.add(
        "_/_",
        Overload.of("divide_double", DOUBLE, PLANNED, DOUBLE, DOUBLE),
        Overload.of("divide_int64", INT, PLANNED, INT, INT),
        Overload.of("divide_uint64", UINT, PLANNED, UINT, UINT));
    table.add(
        "_%_",
        Overload.of("modulo_int64", INT, PLANNED, INT, INT),
        Overload.of("modulo_uint64", UINT, PLANNED, UINT, UINT));
    table.add(
        "-_",
        Overload.of("negate_double", DOUBLE, PLANNED, DOUBLE),
        Overload.of("negate_int64", INT, PLANNED, INT));
  }

  private static void comparisons(FunctionTable table) {
    Map<String, CelType> numbers = new LinkedHashMap<>();
    numbers.put("int64", INT);
    numbers.put("uint64", UINT);
    numbers.put("double", DOUBLE);
    Map<String, CelType> others = new LinkedHashMap<>();
    others.put("string", STRING);
    others.put("bytes", BYTES);
    others.put("timestamp", TIMESTAMP);
    others.put("duration", DURATION);
    Map.of("_<_", "less", "_<=_", "less_equals", "_>_", "greater", "_>=_", "greater_equals")
        .forEach((operator, name) -> {
          table.add(operator, Overload.of(name + "_bool", BOOL, PLANNED, BOOL, BOOL));
          numbers.forEach((left, leftType) ->
              numbers.forEach((right, rightType) ->
                  table.add(
                      operator,
                      Overload.of(
                          name + "_" + left + (left.equals(right) ? "" : "_" + right),
                          BOOL,
                          PLANNED,
                          leftType,
                          rightType))));
          others.forEach((type, of) ->
              table.add(operator, Overload.of(name + "_" + type, BOOL, PLANNED, of, of)));
        });
  }

  private static void containers(FunctionTable table) {
    CelType optionalOfA = CelType.optional(A);
    CelType optionalOfB = CelType.optional(B);
    table.add(
        "_[_]",
        Overload.of("index_list", A, PLANNED, LIST, INT),
        Overload.of("index_map", B, PLANNED, MAP, A),
        Overload.of("optional_list_index_int", optionalOfA, PLANNED, CelType.optional(LIST), INT),
        Overload.of("optional_map_index_value", optionalOfB, PLANNED, CelType.optional(MAP), A));
    table.add(
        "_[?_]",
        Overload.of("list_optindex_optional_int", optionalOfA, PLANNED, LIST, INT),
        Overload.of(
            "optional_list_optindex_optional_int",
            optionalOfA,
            PLANNED,
            CelType.optional(LIST),
            INT),
        Overload.of("map_optindex_optional_value", optionalOfB, PLANNED, MAP, A),
        Overload.of(
            "optional_map_optindex_optional_value",
            optionalOfB,
            PLANNED,
            CelType.optional(MAP),
            A));
    table.add(
        "@in",
        Overload.of("in_list", BOOL, PLANNED, A, LIST),
        Overload.of("in_map", BOOL, PLANNED, A, MAP));
    Implementation size = args -> Values.size(args[0]);
    table.add(
        "size",
        Overload.of("size_bytes", INT, size, BYTES),
        member("bytes_size", INT, size, BYTES),
        Overload.of("size_list", INT, size, LIST),
        member("list_size", INT, size, LIST),
        Overload.of("size_map", INT, size, MAP),
        member("map_size", INT, size, MAP),
        Overload.of("size_string", INT, size, STRING),
        member("string_size", INT, size, STRING));
    table.add(
        "cel.@mapInsert",
        Overload.of(
            "@mapInsert_map_key_value", MAP, args -> insert(args[0], args[1], args[2]), MAP, A, B),
        Overload.of("@mapInsert_map_map", MAP, args -> insertAll(args[0], args[1]), MAP, MAP));
  }

  private static Object insert(Object map, Object key, Object value) {
    Map<Object, Object> result = copy(map);
    putNew(result, key, value);
    return result;
  }

  private static Object insertAll(Object map, Object others) {
    Map<Object, Object> result = copy(map);
    Iterable<Object> keys = Values.keys(others);
    for (Object key : keys == null ? List.<Object>of() : keys) {
      Object value = Values.lookUp(others, key);
      if (value != null) {
        putNew(result, key, value);
      }
    }
    return result;
  }

  private static void putNew(Map<Object, Object> map, Object key, Object value) {
    if (Values.lookUp(map, key) != null) {
      throw new CelException("insert failed: key " + key + " already exists");
    }
    map.put(key, value);
  }

  private static Map<Object, Object> copy(Object map) {
    Map<Object, Object> copy = new LinkedHashMap<>();
    Iterable<Object> keys = Values.keys(map);
    for (Object key : keys == null ? List.<Object>of() : keys) {
      Object value = Values.lookUp(map, key);
      if (value != null) {
        copy.put(key, value);
      }
    }
    return copy;
  }
}
