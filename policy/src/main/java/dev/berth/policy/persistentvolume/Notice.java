package dev.berth.policy.persistentvolume;

/**
 * An event to be recorded about an object.
 *
 * @param reason in one word
 */
public record Notice(boolean warning, String reason, String message) {
  static Notice normal(String reason, String message) {
    return new Notice(false, reason, message);
  }

  public static Notice warning(String reason, String message) {
    return new Notice(true, reason, message);
  }
}
