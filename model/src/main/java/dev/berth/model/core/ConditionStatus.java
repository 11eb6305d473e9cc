package dev.berth.model.core;

/** Whether a condition holds. */
public enum ConditionStatus {
  TRUE("True"),
  FALSE("False"),
  /** It cannot be told, or the word is none that this version knows. */
  UNKNOWN("Unknown");

  private final String text;

  ConditionStatus(String text) {
    this.text = text;
  }

  public static ConditionStatus of(String text) {
    return switch (text) {
      case "True" -> TRUE;
      case "False" -> FALSE;
      default -> UNKNOWN;
    };
  }

  public String text() {
    return text;
  }
}
