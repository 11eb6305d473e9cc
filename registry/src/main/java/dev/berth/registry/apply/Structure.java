package dev.berth.registry.apply;

import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How values at some place of an object can be owned: as a whole or in parts, and what the parts
 * are. Made from schemas by {@link Structures}.
 */
public sealed interface Structure {

  /** Owned as a whole: a scalar, or a list of scalars that is atomic. */
  enum Leaf implements Structure {
    LEAF
  }

  /**
   * Owned as a whole though there are parts: an object or a list that is atomic. Only who applies
   * one is told what is wrong in it, as in Kubernetes.
   *
   * @param content what it would be if it were not atomic
   */
  record Atomic(Structure content) implements Structure {}

  /** A list whose elements have nothing to be told apart by; there is none but in an atomic one. */
  record PlainList(Structure element) implements Structure {}

  /** Without a schema: objects are maps of such values, everything else is a leaf. */
  enum Deduced implements Structure {
    DEDUCED
  }

  /**
   * A field of a type.
   *
   * @param element the field as an element of a path
   */
  record Field(String element, Structure structure) {}

  /** An object of a type. */
  final class Struct implements Structure {
    private final Supplier<Map<String, Field>> resolve;

    /** Whether other fields than those of the type are welcome. */
    private final boolean open;

    /** Resolved when first asked for, because types refer to themselves. */
    private volatile @Nullable Map<String, Field> fields;

    Struct(Supplier<Map<String, Field>> resolve, boolean open) {
      this.resolve = resolve;
      this.open = open;
    }

    /** The field of a name, or null if the type has none. */
    @Nullable Field field(String name) {
      Map<String, Field> known = fields;
      if (known == null) {
        known = resolve.get();
        fields = known;
      }
      return known.get(name);
    }

    boolean isOpen() {
      return open;
    }
  }

  /** An object whose fields are named by users, and owned one by one. */
  record MapOf(Structure value) implements Structure {}

  /** A list of scalars that are owned one by one. */
  enum SetList implements Structure {
    SET
  }

  /** A field that tells elements apart, and what it is when it is left out. */
  record Key(String name, @Nullable Object whenAbsent) {}

  /**
   * A list of objects that are told apart by some of their fields.
   *
   * @param keys in the order of their names
   */
  record KeyedList(List<Key> keys, Structure element) implements Structure {
    public KeyedList {
      keys = List.copyOf(keys);
    }

    /** Whether two elements are the same one. */
    boolean sameElement(JsonObject left, JsonObject right) {
      for (Key key : keys) {
        Object value = value(left, key);
        if (value == null ? value(right, key) != null : !value.equals(value(right, key))) {
          return false;
        }
      }
      return true;
    }

    /** Whether an element has any of the keys, without which it cannot be told apart. */
    boolean hasKey(JsonObject element) {
      for (Key key : keys) {
        if (value(element, key) != null) {
          return true;
        }
      }
      return false;
    }

    /** The value of an element's key, null if there is none. */
    static @Nullable Object value(JsonObject element, Key key) {
      Object value = element.get(key.name());
      return value == null || value == JsonNull.NULL ? key.whenAbsent() : value;
    }
  }
}
