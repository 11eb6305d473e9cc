package dev.berth.policy.podsecurity;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Something that a pod asks for and may not have.
 *
 * @param reason what it is, in a few words
 * @param detail where it is
 */
public record Violation(String reason, String detail) {

  /** One, if something is so. */
  static Optional<Violation> when(boolean bad, String reason, String detail) {
    return bad ? Optional.of(new Violation(reason, detail)) : Optional.empty();
  }

  @Override
  public String toString() {
    return detail.isEmpty() ? reason : reason + " (" + detail + ")";
  }

  /** All of them with their details. */
  public static String details(List<Violation> violations) {
    return violations.stream().map(Violation::toString).collect(Collectors.joining(", "));
  }

  /** All of them without details, so that pods of a kind say the same. */
  public static String reasons(List<Violation> violations) {
    return violations.stream().map(Violation::reason).collect(Collectors.joining(", "));
  }
}
