package dev.berth.cel.check;

import dev.berth.cel.value.CelType;
import org.jspecify.annotations.Nullable;

/** The names that an expression can use besides those that all expressions can. */
public interface Declarations {
  /** The type of a variable. */
  @Nullable CelType variable(String name);

  /** A type with fields that objects can be made of. */
  @Nullable CelType type(String name);
}
