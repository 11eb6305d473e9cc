package dev.berth.cel.eval;

import org.jspecify.annotations.Nullable;

/** The values of an expression's variables. */
public interface CelVariables {
  CelVariables NONE = _ -> null;

  /** The value of a variable; null if it has none. */
  @Nullable Object get(String name);
}
