package dev.berth.pki;

/** Keys or certificates on disk cannot be used. The message tells the user what to do. */
public final class PkiException extends RuntimeException {

  PkiException(String message) {
    super(message);
  }

  public PkiException(String message, Throwable cause) {
    super(message, cause);
  }
}
