package dev.berth.policy.podsecurity;

import java.util.Locale;
import java.util.Optional;

/** How strict a namespace is with its pods; the later, the stricter. */
public enum SecurityLevel {
  PRIVILEGED,
  BASELINE,
  RESTRICTED;

  public static Optional<SecurityLevel> parse(String text) {
    for (SecurityLevel level : values()) {
      if (level.toString().equals(text)) {
        return Optional.of(level);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
