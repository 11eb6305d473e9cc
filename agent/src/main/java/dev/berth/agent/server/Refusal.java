package dev.berth.agent.server;

/** A request that cannot be answered as its sender wishes; the message is for the sender. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String message;

  Refusal(int status, String message) {
    super(message);
    this.status = status;
    this.message = message;
  }

  int status() {
    return status;
  }

  String message() {
    return message;
  }
}
