package dev.berth.policy.allocation;

/** Ends a search since something is wrong with a claim or a class. */
final class AllocationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  AllocationException(String message) {
    super(message, null, false, false);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
