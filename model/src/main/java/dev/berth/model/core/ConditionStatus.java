package dev.berth.model.core;

/** Whether a condition holds. */
public enum ConditionStatus {
  TRUE("True"),
  FALSE("False"),
  /** It is not known, or the word is one that this version does not know. */
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
