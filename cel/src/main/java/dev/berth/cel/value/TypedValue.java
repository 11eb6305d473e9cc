package dev.berth.cel.value;

/** A value of a type that only the library knows, such as an IP address. */
public interface TypedValue {
  CelType celType();

  /** How large it is where cost depends on that. */
  default long costSize() {
    return 1;
  }
}
