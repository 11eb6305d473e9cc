package dev.berth.policy.reconcile;

/**
 * Something to tell about an object, by an event.
 *
 * @param reason in one word: {@code Completed}
 * @param message for people
 */
public record Note(boolean isWarning, String reason, String message) {
  public static Note normal(String reason, String message) {
    return new Note(false, reason, message);
  }

  public static Note warning(String reason, String message) {
    return new Note(true, reason, message);
  }
}
