package dev.berth.registry.patch;

/** A patch or an applied configuration that cannot be carried out, and whose fault that is. */
public final class PatchException extends RuntimeException {
  private final Kind kind;

  private PatchException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** The patch makes no sense whatever it is applied to. */
  public static PatchException badRequest(String message) {
    return new PatchException(Kind.BAD_REQUEST, message);
  }

  /** The patch cannot be applied to the object. */
  public static PatchException unprocessable(String message) {
    return new PatchException(Kind.UNPROCESSABLE, message);
  }

  /** The patch cannot be applied, which Kubernetes takes for a failure of its own. */
  public static PatchException failed(String message) {
    return new PatchException(Kind.FAILED, message);
  }

  /** The patch asks for more than the server does at once. */
  public static PatchException tooLarge(String message) {
    return new PatchException(Kind.TOO_LARGE, message);
  }

  public Kind kind() {
    return kind;
  }

  /** What to answer: 400, 422, 500 or 413. */
  public enum Kind {
    BAD_REQUEST,
    UNPROCESSABLE,
    FAILED,
    TOO_LARGE
  }
}
