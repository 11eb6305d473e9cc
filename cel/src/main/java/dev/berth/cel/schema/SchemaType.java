package dev.berth.cel.schema;

import dev.berth.cel.check.SizeBounds;
import dev.berth.cel.check.SizeEstimate;
import dev.berth.cel.value.CelType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The type that a schema declares, with what is known of its size.
 *
 * @param maxElements the most elements, entries or characters that a request has room for
 * @param minSize the fewest characters of JSON that a value takes
 * @param key of a map
 * @param element of a list or map
 * @param fields of an object, by the names that expressions use
 */
public record SchemaType(
    CelType type,
    long maxElements,
    long minSize,
    @Nullable SchemaType key,
    @Nullable SchemaType element,
    Map<String, SchemaType> fields) {

  static SchemaType simple(CelType type, long maxElements, long minSize) {
    return new SchemaType(type, maxElements, minSize, null, null, Map.of());
  }

  /**
   * How large a variable of this type, and what is in it, can be.
   *
   * <p>Whatever an expression's path begins with is taken for the variable.
   */
  public SizeBounds sizeBounds() {
    return path -> {
      SchemaType at = this;
      for (String step : path.subList(1, path.size())) {
        SchemaType next =
            switch (step) {
              case "@items", "@values" -> at.element;
              case "@keys" -> at.key;
              default -> at.fields.get(step);
            };
        if (next == null) {
          return null;
        }
        at = next;
      }
      return new SizeEstimate(0, at.maxElements);
    };
  }

  /** The same for several variables, each with its own type. */
  public static SizeBounds sizeBounds(Map<String, SchemaType> variables) {
    return path -> {
      SchemaType type = variables.get(path.getFirst());
      return type == null ? null : type.sizeBounds().size(List.copyOf(path));
    };
  }
}
