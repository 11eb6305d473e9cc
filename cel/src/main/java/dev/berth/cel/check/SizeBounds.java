package dev.berth.cel.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How large values can be, by the way that leads to them from a variable. */
public interface SizeBounds {
  SizeBounds UNKNOWN = _ -> null;

  /**
   * The size of a value; null if it is unknown.
   *
   * @param path a variable and the fields below it; {@code @items} is an element of a list, {@code
   *     @keys} and {@code @values} are parts of a map
   */
  @Nullable SizeEstimate size(List<String> path);
}
