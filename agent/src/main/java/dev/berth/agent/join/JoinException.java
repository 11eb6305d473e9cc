package dev.berth.agent.join;

/** A machine cannot join a cluster. The message tells the operator why, and what to do. */
public final class JoinException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public JoinException(String message) {
    super(message);
  }

  public JoinException(String message, Throwable cause) {
    super(message, cause);
  }
}
