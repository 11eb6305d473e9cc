package dev.berth.agent.volume;

import org.jspecify.annotations.Nullable;

/** A volume cannot be made. */
final class SetUpException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean isWhole;

  /**
   * @param message why setting it up failed
   */
  SetUpException(String message) {
    this(message, false);
  }

  SetUpException(String message, Throwable cause) {
    super(message, cause);
    this.isWhole = false;
  }

  private SetUpException(String message, boolean isWhole) {
    super(message);
    this.isWhole = isWhole;
  }

  /** Another step than setting it up failed, and the message says which. */
  static SetUpException whole(String message) {
    return new SetUpException(message, true);
  }

  /** What an event says, in the words of kubelets. */
  String eventMessage(String volume) {
    return isWhole ? String.valueOf(getMessage()) : eventMessage(volume, getMessage());
  }

  static String eventMessage(String volume, @Nullable String why) {
    return "MountVolume.SetUp failed for volume \"%s\" : %s".formatted(volume, why);
  }
}
