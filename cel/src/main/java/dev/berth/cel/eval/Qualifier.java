package dev.berth.cel.eval;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.LazyObject;
import dev.berth.cel.value.UnsignedInt;
import dev.berth.cel.value.Values;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A step into a value: a field, a key or an index. */
abstract class Qualifier {
  final boolean optional;

  private final UnaryOperator<Object> conversion;

  /**
   * @param type that a schema gives to what is found
   */
  private Qualifier(boolean optional, CelType type) {
    this.optional = optional;
    this.conversion = Conversion.to(type.isOptional() ? type.parameter(0) : type);
  }

  /** What is found there; null if nothing is. */
  abstract @Nullable Object find(Frame frame, Object value);

  abstract CelException missing(Frame frame, Object value);

  final Object typed(Object value) {
    return conversion.apply(value);
  }

  /**
   * A field by its name.
   *
   * @param property its name in the tree
   * @param declared whether a schema knows it: then it is not there if it is null
   */
  static Qualifier field(String property, boolean declared, boolean optional, CelType type) {
    return new Field(property, declared, optional, type);
  }

  static Qualifier index(Node index, boolean optional, CelType type) {
    return new Index(index, optional, type);
  }

  private static final class Field extends Qualifier {
    private final String property;
    private final boolean declared;

    Field(String property, boolean declared, boolean optional, CelType type) {
      super(optional, type);
      this.property = property;
      this.declared = declared;
    }

    @Override
    @Nullable Object find(Frame frame, Object value) {
      Object found =
          switch (value) {
            case JsonObject object -> object.get(property);
            case Map<?, ?> map -> map.get(property);
            case LazyObject lazy -> lazy.field(property);
            default -> null;
          };
      if (found == null || (declared && found instanceof JsonNull)) {
        return null;
      }
      return typed(Values.fromTree(found));
    }

    @Override
    CelException missing(Frame frame, Object value) {
      return Values.isList(value)
          ? new CelException("unsupported index type 'string' in list")
          : new CelException("no such key: " + property);
    }
  }

  private static final class Index extends Qualifier {
    private final Node index;

    Index(Node index, boolean optional, CelType type) {
      super(optional, type);
      this.index = index;
    }

    /** The index without the cost of where it begins: the step itself is paid for. */
    private Object key(Frame frame) {
      return index instanceof AttributeNode attribute
          ? attribute.resolve(frame)
          : index.eval(frame);
    }

    @Override
    @Nullable Object find(Frame frame, Object value) {
      Object key = key(frame);
      Object found = null;
      if (value instanceof JsonArray || value instanceof List<?>) {
        List<Object> list = Values.asList(value);
        long at = position(key);
        found = list != null && at >= 0 && at < list.size() ? list.get((int) at) : null;
      } else if (Values.isMap(value) || value instanceof LazyObject) {
        found = Values.lookUp(value, key);
      }
      return found == null ? null : typed(Values.fromTree(found));
    }

    private static long position(Object key) {
      return switch (key) {
        case Long number -> number;
        case UnsignedInt number -> number.bits();
        case Double number when number == Math.rint(number) -> number.longValue();
        case Double number ->
            throw new CelException("unsupported index value " + number + " in list");
        default ->
            throw new CelException("unsupported index type '" + Values.typeName(key) + "' in list");
      };
    }

    @Override
    CelException missing(Frame frame, Object value) {
      Object key = key(frame);
      return new CelException(
          (Values.isList(value) ? "index out of bounds: " : "no such key: ") + key);
    }
  }
}
