package dev.berth.policy.image;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Of which images that are on a node it is verified that a pod may use them.
 *
 * @param allowlist with {@link Policy#NEVER_ALLOWLISTED}: images without tag and digest, and paths
 *     that end with {@code /*}
 */
public record ImageVerification(Policy policy, List<String> allowlist) {
  private static final String ALL_BELOW = "/*";

  /** Upstream's. */
  public static final ImageVerification DEFAULT =
      new ImageVerification(Policy.NEVER_PRELOADED, List.of());

  public ImageVerification {
    allowlist = List.copyOf(allowlist);
  }

  /** Kubernetes' policies. */
  public enum Policy {
    /** Whoever is on the node may use what is on the node. */
    NEVER("NeverVerify"),

    /** Images that the node has pulled are verified. */
    NEVER_PRELOADED("NeverVerifyPreloadedImages"),

    /** Images that are not in a list are verified, whoever brought them. */
    NEVER_ALLOWLISTED("NeverVerifyAllowlistedImages"),

    /** All are, whoever brought them. */
    ALWAYS("AlwaysVerify");

    private final String text;

    Policy(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }

    public static Optional<Policy> of(String text) {
      return Arrays.stream(values()).filter(each -> each.text.equals(text)).findFirst();
    }
  }

  /**
   * Whether it is verified.
   *
   * @param image as a pod names it
   * @param isPulled whether this node has pulled it, or has begun to
   */
  public boolean verifies(String image, boolean isPulled) {
    return switch (policy) {
      case NEVER -> false;
      case NEVER_PRELOADED -> isPulled;
      case NEVER_ALLOWLISTED -> !isListed(ImageReference.withoutVersion(image));
      case ALWAYS -> true;
    };
  }

  private boolean isListed(String path) {
    return allowlist.stream()
        .anyMatch(each ->
            each.endsWith(ALL_BELOW)
                ? path.startsWith(each.substring(0, each.length() - 1))
                : path.equals(each));
  }

  /** What is wrong with an entry of the list; empty if nothing is. */
  public static Optional<String> problem(String entry) {
    boolean isPath = entry.endsWith(ALL_BELOW);
    String path = isPath ? entry.substring(0, entry.length() - 1) : entry;
    if (!entry.equals(entry.strip())) {
      return Optional.of("leading/trailing spaces are not allowed: " + entry);
    } else if (path.isEmpty()) {
      return Optional.of("the supplied pattern is too short: " + entry);
    } else if (path.contains("*")) {
      return Optional.of(
          "not a valid wildcard pattern, only patterns ending with '/*' are allowed: " + entry);
    } else if (isPath) {
      return path.equals("/")
          ? Optional.of("at least registry hostname is required")
          : Optional.empty();
    } else if (ImageReference.parse(entry) instanceof ImageReference.Result.Invalid(var problem)) {
      return Optional.of("failed to parse as an image name: " + problem);
    }
    return ImageReference.withoutVersion(entry).equals(entry)
        ? Optional.empty()
        : Optional.of("neither tag nor digest is accepted in an image reference: " + entry);
  }
}
