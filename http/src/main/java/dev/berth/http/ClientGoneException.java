package dev.berth.http;

/** The client left, or fell silent, before its request was complete. Nobody waits for an answer. */
public final class ClientGoneException extends RuntimeException {

  public ClientGoneException(Throwable cause) {
    super("The client left or fell silent before its request's body was complete.", cause);
  }
}
