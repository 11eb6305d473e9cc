package dev.berth.cli.arguments;

/** A command line that cannot be understood; the message says why, and what would be right. */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UsageException(String message) {
    super(message);
  }
}
