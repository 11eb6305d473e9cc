package dev.berth.cel;

/** A compiled expression, or why there is none. */
public sealed interface CelCompilation {
  record Compiled(CelProgram program) implements CelCompilation {}

  /**
   * The expression is wrong.
   *
   * @param message begins with {@code compilation failed: ERROR: <input>:1:6: …} for what the
   *     parser and the checker find, and with {@code must evaluate to} for a wrong result
   */
  record Failed(String message) implements CelCompilation {}
}
