package dev.berth.cli;

/** A command line that cannot be understood; the message says why, and what would be right. */
final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UsageException(String message) {
    super(message);
  }
}
