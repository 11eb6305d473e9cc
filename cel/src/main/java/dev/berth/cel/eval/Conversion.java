package dev.berth.cel.eval;

import dev.berth.cel.library.GoDurations;
import dev.berth.cel.library.Timestamps;
import dev.berth.cel.value.CelBytes;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.Values;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.AbstractList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How values of a tree become values of the types that a schema declares for them: trees hold times
 * as text, for example. Elements of lists are converted when they are looked at.
 */
final class Conversion {
  /** Of types whose values trees hold as they are. */
  static final UnaryOperator<Object> NONE = value -> value;

  private Conversion() {}

  @SuppressWarnings("ReferenceEquality") // there is one NONE
  static UnaryOperator<Object> to(CelType type) {
    return switch (type.kind()) {
      case TIMESTAMP -> value -> value instanceof String text ? Timestamps.parseField(text) : value;
      case DURATION -> value -> value instanceof String text ? GoDurations.parse(text) : value;
      case BYTES ->
          value ->
              value instanceof String text ? new CelBytes(Base64.getDecoder().decode(text)) : value;
      case DOUBLE -> value -> value instanceof Long number ? (Object) number.doubleValue() : value;
      case LIST -> {
        UnaryOperator<Object> element = to(type.parameter(0));
        yield element == NONE
            ? NONE
            : value -> value instanceof JsonArray array ? new Elements(array, element) : value;
      }
      case MAP -> {
        UnaryOperator<Object> entry = to(type.parameter(1));
        yield entry == NONE
            ? NONE
            : value -> value instanceof JsonObject object ? entries(object, entry) : value;
      }
      default -> {
        UnaryOperator<Object> inside = type.isOptional() ? to(type.parameter(0)) : NONE;
        yield inside == NONE
            ? NONE
            : value -> value instanceof Optional<?> some ? some.map(inside) : value;
      }
    };
  }

  private static Map<Object, Object> entries(JsonObject object, UnaryOperator<Object> to) {
    Map<Object, Object> entries = LinkedHashMap.newLinkedHashMap(object.size());
    object.forEach((name, value) -> entries.put(name, to.apply(Values.fromTree(value))));
    return entries;
  }

  /** The elements of an array. */
  private static final class Elements extends AbstractList<Object> {
    private final List<Object> array;
    private final UnaryOperator<Object> to;

    Elements(JsonArray array, UnaryOperator<Object> to) {
      this.array = array.values();
      this.to = to;
    }

    @Override
    public Object get(int index) {
      return to.apply(Values.fromTree(array.get(index)));
    }

    @Override
    public int size() {
      return array.size();
    }
  }
}
