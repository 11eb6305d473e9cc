package dev.berth.cli.arguments;

/**
 * An option of a command.
 *
 * @param name with its dashes
 * @param value what stands for the value in the help; empty for an option that takes none, in
 *     square brackets with its equals sign if it can be left out
 */
public record Option(String name, String value, String description) {

  /** An option without a value. */
  public static Option flag(String name, String description) {
    return new Option(name, "", description);
  }

  /** Whether a value follows. */
  public boolean takesValue() {
    return !value.isEmpty() && !mayTakeValue();
  }

  /** Whether a value may follow, after an equals sign only. */
  public boolean mayTakeValue() {
    return value.startsWith("[=");
  }

  /** The option as the help shows it. */
  public String shown() {
    return takesValue() ? name + "=" + value : name + value;
  }
}
