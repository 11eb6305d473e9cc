package dev.berth.policy.persistentvolume;

/**
 * What people are told about an object.
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
