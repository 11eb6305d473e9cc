package dev.berth.agent.runtime;

/**
 * A runtime could not do what it was asked for. The message is for people, and stands in the pod's
 * status and events.
 */
public final class RuntimeFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final String reason;

  /**
   * @param reason as a container that waits shows it, such as {@code CreateContainerError}, {@code
   *     CreateContainerConfigError}, {@code RunContainerError} or {@code ErrImageNeverPull}
   */
  public RuntimeFailure(String reason, String message) {
    super(message);
    this.reason = reason;
  }

  public RuntimeFailure(String reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
