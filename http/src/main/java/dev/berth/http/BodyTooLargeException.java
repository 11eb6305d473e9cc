package dev.berth.http;

/**
 * The request's body is longer than the reader allows. A 413, unless the handler says otherwise.
 */
public final class BodyTooLargeException extends RuntimeException {
  private final int maxBytes;

  public BodyTooLargeException(int maxBytes) {
    super("The request's body is longer than the %d bytes that are allowed.".formatted(maxBytes));
    this.maxBytes = maxBytes;
  }

  public int maxBytes() {
    return maxBytes;
  }
}
