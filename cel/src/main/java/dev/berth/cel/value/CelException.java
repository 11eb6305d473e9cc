package dev.berth.cel.value;

/**
 * An evaluation that ended in an error, in the words that users of Kubernetes know.
 *
 * <p>Errors are values of the language: {@code &&} and {@code ||} may make up for them. So they are
 * thrown often and carry no stack trace.
 */
public final class CelException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public CelException(String message) {
    super(message, null, false, false);
  }

  public static CelException noSuchOverload() {
    return new CelException("no such overload");
  }

  /** The message, which an exception of this type always has. */
  public String reason() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
