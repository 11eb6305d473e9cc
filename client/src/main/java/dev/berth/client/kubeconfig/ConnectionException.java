package dev.berth.client.kubeconfig;

/**
 * A configuration by which no server can be reached. The message is a sentence for the operator
 * that says where, what is wrong, and what would be right.
 */
public final class ConnectionException extends RuntimeException {
  public ConnectionException(String message) {
    super(message);
  }

  public ConnectionException(String message, Throwable cause) {
    super(message, cause);
  }
}
