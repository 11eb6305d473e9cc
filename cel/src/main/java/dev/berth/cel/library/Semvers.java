package dev.berth.cel.library;

/** Versions as values of expressions. */
public final class Semvers {
  private Semvers() {}

  /**
   * A version that is written as semver.org says.
   *
   * @throws dev.berth.cel.value.CelException if it is not
   */
  public static Object parse(String text) {
    return Semver.parse(text);
  }
}
