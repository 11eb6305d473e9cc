package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;

import dev.berth.cel.library.Overload.Implementation;
import dev.berth.cel.value.CelBytes;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.UnsignedInt;
import dev.berth.cel.value.Values;
import dev.berth.model.tree.JsonNull;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Values that may be missing: {@code object.?spec.?replicas.orValue(1)}. */
final class OptionalFunctions {
  /** What Go takes for no time. */
  private static final Instant ZERO_TIME = Instant.parse("0001-01-01T00:00:00Z");

  private OptionalFunctions() {}

  static void addTo(FunctionTable table) {
    CelType v = CelType.parameter("V");
    CelType optional = CelType.optional(v);
    CelType list = CelType.list(v);
    CelType optionals = CelType.list(optional);
    table.add("optional.of", Overload.of("optional_of", optional, args -> Optional.of(args[0]), v));
    table.add(
        "optional.ofNonZeroValue",
        Overload.of(
            "optional_ofNonZeroValue",
            optional,
            args -> isZero(args[0]) ? Optional.empty() : Optional.of(args[0]),
            v));
    table.add("optional.none", Overload.of("optional_none", optional, _ -> Optional.empty()));
    table.add(
        "value",
        member(
            "optional_value",
            v,
            args ->
                ((Optional<?>) args[0])
                    .map(value -> (Object) value)
                    .orElseThrow(() -> new CelException("optional.none() dereference")),
            optional));
    table.add(
        "hasValue",
        member("optional_hasValue", BOOL, args -> ((Optional<?>) args[0]).isPresent(), optional));
    Implementation planned =
        _ -> {
          throw new IllegalStateException("evaluated by its node");
        };
    table.add("or", member("optional_or_optional", optional, planned, optional, optional));
    table.add("orValue", member("optional_orValue_value", v, planned, optional, v));
    table.add("last", member("list_last", optional, args -> at(args[0], false), list));
    table.add("first", member("list_first", optional, args -> at(args[0], true), list));
    table.add(
        "optional.unwrap",
        Overload.of("optional_unwrap", list, args -> unwrap(args[0]), optionals));
    table.add("unwrapOpt", member("optional_unwrapOpt", list, args -> unwrap(args[0]), optionals));
  }

  private static Object at(Object value, boolean first) {
    List<Object> list = Values.asList(value);
    if (list == null || list.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(Values.fromTree(first ? list.getFirst() : list.getLast()));
  }

  private static Object unwrap(Object value) {
    List<Object> list = Values.asList(value);
    return (list == null ? List.<Object>of() : list)
        .stream()
            .map(element -> {
              if (element instanceof Optional<?> optional) {
                return optional;
              }
              throw new CelException("value " + element + " is not optional");
            })
            .flatMap(Optional::stream)
            .map(element -> (Object) element)
            .toList();
  }

  private static boolean isZero(Object value) {
    return switch (value) {
      case JsonNull _ -> true;
      case Boolean flag -> !flag;
      case Long number -> number == 0;
      case UnsignedInt number -> number.bits() == 0;
      case Double number -> number == 0;
      case Duration duration -> duration.isZero();
      case Instant instant -> instant.equals(ZERO_TIME);
      case CelBytes bytes -> bytes.size() == 0;
      case Optional<?> optional -> optional.isEmpty();
      default -> Values.size(value) == 0;
    };
  }
}
