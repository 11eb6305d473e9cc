package dev.berth.cel.value;

import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which Java objects stand for values of the language.
 *
 * <p>Trees are values as they are. Beyond them: {@link List} and {@link Map} for what expressions
 * make, {@link Double}, {@link UnsignedInt}, {@link CelBytes}, {@link Instant}, {@link Duration},
 * {@link Optional}, {@link CelType}, {@link Quantity} and {@link TypedValue}.
 */
public final class Values {
  public static final CelType QUANTITY = CelType.object("kubernetes.Quantity");

  private Values() {}

  /** What a value that was taken out of a tree or list is to expressions: no raw numbers. */
  public static Object fromTree(Object value) {
    return value instanceof JsonNumber number ? (Object) number.approximate() : value;
  }

  public static CelType typeOf(Object value) {
    return switch (value) {
      case JsonNull _ -> CelType.NULL;
      case Boolean _ -> CelType.BOOL;
      case Long _ -> CelType.INT;
      case UnsignedInt _ -> CelType.UINT;
      case Double _ -> CelType.DOUBLE;
      case JsonNumber _ -> CelType.DOUBLE;
      case String _ -> CelType.STRING;
      case CelBytes _ -> CelType.BYTES;
      case Instant _ -> CelType.TIMESTAMP;
      case Duration _ -> CelType.DURATION;
      case JsonArray _ -> CelType.list(CelType.DYN);
      case List<?> _ -> CelType.list(CelType.DYN);
      case JsonObject _ -> CelType.map(CelType.DYN, CelType.DYN);
      case Map<?, ?> _ -> CelType.map(CelType.DYN, CelType.DYN);
      case Optional<?> _ -> CelType.optional(CelType.DYN);
      case CelType _ -> CelType.TYPE;
      case Quantity _ -> QUANTITY;
      case TypedValue typed -> typed.celType();
      default -> CelType.map(CelType.STRING, CelType.DYN);
    };
  }

  /** The name of a value's type, as {@code type()} and messages have it. */
  public static String typeName(Object value) {
    return typeOf(value).name();
  }

  /** Whether a value may be an argument of a declared type. */
  public static boolean isOfType(Object value, CelType type) {
    return switch (type.kind()) {
      case DYN, ERROR, TYPE_PARAM -> true;
      case NULL -> value == JsonNull.NULL;
      case BOOL -> value instanceof Boolean;
      case INT -> value instanceof Long;
      case UINT -> value instanceof UnsignedInt;
      case DOUBLE -> value instanceof Double;
      case STRING -> value instanceof String;
      case BYTES -> value instanceof CelBytes;
      case DURATION -> value instanceof Duration;
      case TIMESTAMP -> value instanceof Instant;
      case LIST -> isList(value);
      case MAP -> isMap(value);
      case TYPE -> value instanceof CelType;
      case STRUCT, OPAQUE -> typeOf(value).name().equals(type.name());
    };
  }

  public static boolean isList(Object value) {
    return value instanceof JsonArray || value instanceof List<?>;
  }

  public static boolean isMap(Object value) {
    return value instanceof JsonObject || value instanceof Map<?, ?>;
  }

  /** The elements of a list; null if it is none. They may still be raw numbers of a tree. */
  @SuppressWarnings("unchecked")
  public static @Nullable List<Object> asList(Object value) {
    return switch (value) {
      case JsonArray array -> array.values();
      case List<?> list -> (List<Object>) list;
      default -> null;
    };
  }

  /** The keys of a map; null if it is none. */
  @SuppressWarnings("unchecked")
  public static @Nullable Iterable<Object> keys(Object value) {
    return switch (value) {
      case JsonObject object -> (Iterable<Object>) (Iterable<?>) object.names();
      case Map<?, ?> map -> (Iterable<Object>) (Iterable<?>) map.keySet();
      default -> null;
    };
  }

  /** The value at a key; null if it is not there. */
  public static @Nullable Object lookUp(Object map, Object key) {
    Object found =
        switch (map) {
          case JsonObject object -> key instanceof String name ? object.get(name) : null;
          case LazyObject lazy -> key instanceof String name ? lazy.field(name) : null;
          case Map<?, ?> entries -> {
            Object exact = entries.get(key);
            yield exact == null && (key instanceof Number || key instanceof UnsignedInt)
                ? sameNumber(entries, key)
                : exact;
          }
          default -> throw CelException.noSuchOverload();
        };
    return found == null ? null : fromTree(found);
  }

  private static @Nullable Object sameNumber(Map<?, ?> entries, Object key) {
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      if (equal(entry.getKey(), key)) {
        return entry.getValue();
      }
    }
    return null;
  }

  /** How many elements, entries, characters or bytes it has; -1 if it has no size. */
  public static long size(Object value) {
    return switch (value) {
      case String text -> text.codePointCount(0, text.length());
      case CelBytes bytes -> bytes.size();
      case JsonArray array -> array.size();
      case List<?> list -> list.size();
      case JsonObject object -> object.size();
      case Map<?, ?> map -> map.size();
      default -> -1;
    };
  }

  /** The size that the cost of a call depends on. */
  public static long costSize(Object value) {
    if (value instanceof Optional<?> optional && optional.isPresent()) {
      return costSize(optional.get());
    }
    if (value instanceof TypedValue typed) {
      return typed.costSize();
    }
    long size = size(value);
    return size < 0 ? 1 : size;
  }

  /** Values of different types are not equal, but numbers that are the same are. */
  public static boolean equal(Object a, Object b) {
    return switch (a) {
      case String text -> text.equals(b);
      case Boolean flag -> flag.equals(b);
      case Long number when b instanceof Long other -> number.equals(other);
      case Long _, UnsignedInt _, Double _, JsonNumber _ -> Numbers.equal(a, b);
      case JsonArray _, List<?> _ -> equalLists(a, b);
      case JsonObject _, Map<?, ?> _ -> equalMaps(a, b);
      case Optional<?> first ->
          b instanceof Optional<?> second
              && first.isPresent() == second.isPresent()
              && (first.isEmpty() || equal(first.get(), second.orElseThrow()));
      case Quantity quantity -> b instanceof Quantity other && quantity.compareTo(other) == 0;
      case CelType type -> b instanceof CelType other && type.name().equals(other.name());
      default -> a.equals(b);
    };
  }

  private static boolean equalLists(Object a, Object b) {
    List<Object> first = asList(a);
    List<Object> second = asList(b);
    if (first == null || second == null || first.size() != second.size()) {
      return false;
    }
    for (int i = 0; i < first.size(); i++) {
      if (!equal(first.get(i), second.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean equalMaps(Object a, Object b) {
    Iterable<Object> keys = keys(a);
    if (keys == null || !isMap(b) || size(a) != size(b)) {
      return false;
    }
    for (Object key : keys) {
      Object mine = lookUp(a, key);
      Object other = lookUp(b, key);
      if (mine == null || other == null || !equal(mine, other)) {
        return false;
      }
    }
    return true;
  }

  /** Which of two values comes first; fails if they have no order. */
  public static int compare(Object a, Object b) {
    return switch (a) {
      case Long first when b instanceof Long second -> Long.compare(first, second);
      case Long _, UnsignedInt _, Double _, JsonNumber _ -> Numbers.compare(a, b);
      case String first when b instanceof String second -> compareText(first, second);
      case Boolean first when b instanceof Boolean second -> Boolean.compare(first, second);
      case CelBytes first when b instanceof CelBytes second -> first.compareTo(second);
      case Instant first when b instanceof Instant second -> first.compareTo(second);
      case Duration first when b instanceof Duration second -> first.compareTo(second);
      default -> throw CelException.noSuchOverload();
    };
  }

  /** Go orders strings by their bytes, which is the order of code points, not of UTF-16. */
  private static int compareText(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean bothOrNone = Character.isSurrogate(x) == Character.isSurrogate(y);
        return bothOrNone ? Integer.signum(x - y) : Character.isSurrogate(x) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** The costs that cel-go gives to reading all of a value. */
  public static long traversalCost(Object value) {
    if (value instanceof String text) {
      return (long) (utf8Length(text) * 0.1);
    }
    if (value instanceof CelBytes bytes) {
      return (long) (bytes.size() * 0.1);
    }
    List<Object> list = asList(value);
    if (list != null) {
      long cost = 0;
      for (Object element : list) {
        cost += traversalCost(element);
      }
      return cost;
    }
    Iterable<Object> keys = keys(value);
    if (keys == null) {
      return 1;
    }
    long cost = 0;
    for (Object key : keys) {
      Object entry = lookUp(value, key);
      cost += traversalCost(key) + (entry == null ? 0 : traversalCost(entry));
    }
    return cost;
  }

  private static int utf8Length(String text) {
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      length += c < 0x80 ? 1 : c < 0x800 ? 2 : Character.isSurrogate(c) ? 2 : 3;
    }
    return length;
  }
}
