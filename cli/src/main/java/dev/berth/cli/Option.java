package dev.berth.cli;

/**
 * Something that can be said on a command line beside its parameters.
 *
 * @param name with its dashes
 * @param value what stands for the value in the help; empty for an option that takes none, in
 *     square brackets with its equals sign if it can be left out
 */
record Option(String name, String value, String description) {

  /** An option that is there or not. */
  static Option flag(String name, String description) {
    return new Option(name, "", description);
  }

  /** Whether a value follows. */
  boolean takesValue() {
    return !value.isEmpty() && !mayTakeValue();
  }

  /** Whether a value may follow, after an equals sign only. */
  boolean mayTakeValue() {
    return value.startsWith("[=");
  }

  /** As the help shows it. */
  String shown() {
    return takesValue() ? name + "=" + value : name + value;
  }
}
