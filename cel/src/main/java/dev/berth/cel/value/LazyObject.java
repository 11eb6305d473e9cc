package dev.berth.cel.value;

import org.jspecify.annotations.Nullable;

/** An object whose fields are worked out when an expression asks for them. */
public interface LazyObject {
  /** A field's value; null if there is none. Throws what working it out throws. */
  @Nullable Object field(String name);
}
