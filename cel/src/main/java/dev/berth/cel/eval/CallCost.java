package dev.berth.cel.eval;

import dev.berth.cel.library.NamedFormat;
import dev.berth.cel.value.CelBytes;
import dev.berth.cel.value.TypedValue;
import dev.berth.cel.value.Values;
import dev.berth.model.quantity.Quantity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a call cost, given its arguments and result: the numbers that Kubernetes counts. */
interface CallCost {
  CallCost UNIT = (_, _) -> 1;

  /** The factor for reading a string. */
  double STRING = 0.1;

  /** The factor for the length of a pattern. */
  double REGEX = 0.25;

  long LIST_CREATION = 10;

  long of(Object[] args, Object result);

  @SuppressWarnings("ReferenceEquality") // There is one of it.
  default long ofTwo(Object left, Object right) {
    return this == UNIT ? 1 : of(new Object[] {left, right}, left);
  }

  /**
   * The cost of a function.
   *
   * @param overload the one that is called, or empty if that depends on values
   */
  static CallCost of(String function, String overload) {
    CallCost byOverload = ofLibraryOverload(overload);
    if (byOverload != null) {
      return byOverload;
    }
    return switch (function) {
      case "check" -> (_, _) -> 350_000;
      case "fieldSelector", "labelSelector" -> (args, _) -> selector(size(args[1]));
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" ->
          (args, _) -> Values.traversalCost(args[0]);
      case "url", "lowerAscii", "upperAscii", "substring", "trim", "jsonpatch.escapeKey" ->
          (args, _) -> scaled(size(args[0]), STRING);
      case "cidr", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
          (args, _) -> scaled(size(args[0]), STRING);
      case "replace", "split", "ip.isCanonical" -> (args, _) -> scaled(size(args[0]), 2 * STRING);
      case "join" -> (_, result) -> scaled(size(result), 2 * STRING);
      case "find", "findAll" -> (args, _) -> regex(size(args[0]), size(args[1]));
      case "ip" -> overload.equals("cidr_ip") ? UNIT : (args, _) -> scaled(size(args[0]), STRING);
      case "containsIP" -> containsIp(overload);
      case "containsCIDR" -> containsCidr(overload);
      case "validate" ->
          (args, _) ->
              args[0] instanceof NamedFormat format ? regex(size(args[1]), format.regexSize()) : 1;
      case "_==_" ->
          (args, _) ->
              args[0] instanceof Quantity || args[0] instanceof TypedValue
                  ? 1
                  : comparison(args[0], args[1]);
      default -> ofOverload(overload);
    };
  }

  private static CallCost ofOverload(String overload) {
    return switch (overload) {
      case "starts_with_string",
          "ends_with_string",
          "string_to_bytes",
          "bytes_to_string",
          "strings_quote",
          "string_format" ->
          (args, _) -> scaled(size(args[0]), STRING);
      case "in_list" -> (args, _) -> size(args[1]);
      case "less_string",
          "greater_string",
          "less_equals_string",
          "greater_equals_string",
          "less_bytes",
          "greater_bytes",
          "less_equals_bytes",
          "greater_equals_bytes",
          "not_equals" ->
          (args, _) -> comparison(args[0], args[1]);
      case "add_string", "add_bytes" -> (args, _) -> scaled(size(args[0]) + size(args[1]), STRING);
      case "matches_string" -> (args, _) -> regex(size(args[0]), size(args[1]));
      case "contains_string" ->
          (args, _) -> scaled(size(args[0]), STRING) * scaled(size(args[1]), STRING);
      default -> UNIT;
    };
  }

  private static @Nullable CallCost ofLibraryOverload(String overload) {
    return switch (overload) {
      case "list_sets_contains_list", "list_sets_intersects_list" ->
          (args, _) -> 1 + size(args[0]) * size(args[1]);
      case "list_sets_equivalent_list" -> (args, _) -> 1 + 2 * size(args[0]) * size(args[1]);
      case "list_slice", "lists_range", "list_reverse" ->
          (_, result) -> size(result) + 1 + LIST_CREATION;
      case "list_flatten" -> (args, _) -> size(args[0]) + 1 + LIST_CREATION;
      case "list_flatten_int" -> (args, _) -> size(args[0]) * (Long) args[1] + 1 + LIST_CREATION;
      case "list_distinct" -> (args, _) -> selfComparison(args[0]);
      default -> {
        if (overload.startsWith("list_") && overload.endsWith("_sort")) {
          yield (args, _) -> selfComparison(args[0]);
        }
        yield overload.endsWith("_sortByAssociatedKeys")
            ? (args, _) -> selfComparison(args[1])
            : null;
      }
    };
  }

  private static long selfComparison(Object value) {
    List<Object> list = Values.asList(value);
    if (list == null || list.isEmpty()) {
      return 1 + LIST_CREATION;
    }
    boolean text = list.getFirst() instanceof String || list.getFirst() instanceof CelBytes;
    long size = list.size();
    return (long) (size * size * (text ? 2 + STRING : 2)) + 1 + LIST_CREATION;
  }

  private static CallCost containsIp(String overload) {
    return (args, _) -> {
      long cost = scaled(2 * size(args[0]), STRING);
      return overload.equals("cidr_contains_ip_string")
          ? cost + scaled(size(args[1]), STRING)
          : cost;
    };
  }

  private static CallCost containsCidr(String overload) {
    return (args, _) -> {
      long cost = scaled(2 * size(args[0]), STRING) + scaled(size(args[0]), STRING) + 1;
      return overload.equals("cidr_contains_cidr_string")
          ? cost + scaled(size(args[1]), STRING)
          : cost;
    };
  }

  private static long comparison(Object left, Object right) {
    return scaled(Math.min(size(left), size(right)), STRING);
  }

  private static long regex(long text, long pattern) {
    return scaled(text + 1, STRING) * scaled(pattern, REGEX);
  }

  /** A list of requirements, each of which is an object with a list and takes two characters. */
  private static long selector(long length) {
    return LIST_CREATION + scaled(length, STRING) + scaled(scaled(length, 0.5), 50);
  }

  private static long size(Object value) {
    return Values.costSize(value);
  }

  static long scaled(long size, double factor) {
    return (long) Math.ceil(size * factor);
  }
}
