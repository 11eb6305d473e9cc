package dev.berth.access.token;

/** A token file that cannot be used. The message is a sentence for who wrote it. */
public final class TokenFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TokenFileException(String message) {
    super(message);
  }
}
