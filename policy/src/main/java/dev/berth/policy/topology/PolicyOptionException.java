package dev.berth.policy.topology;

/** An option of a manager's policy that cannot be used; the message says why. */
public final class PolicyOptionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public PolicyOptionException(String message) {
    super(message);
  }

  /** What Go takes for a boolean. */
  public static boolean flag(String option, String text) {
    return switch (text) {
      case "1", "t", "T", "TRUE", "true", "True" -> true;
      case "0", "f", "F", "FALSE", "false", "False" -> false;
      default ->
          throw new PolicyOptionException(
              ("bad value for option \"%s\": strconv.ParseBool: parsing \"%s\": invalid syntax: must"
                      + " be true or false")
                  .formatted(option, text));
    };
  }
}
