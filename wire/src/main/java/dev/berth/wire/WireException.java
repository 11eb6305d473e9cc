package dev.berth.wire;

/** Bytes that are not what they are said to be. The message is for whoever sent them. */
public final class WireException extends RuntimeException {
  public WireException(String message) {
    super(message);
  }
}
