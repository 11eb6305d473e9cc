package dev.berth.policy.podsecurity;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A level as of a version of Kubernetes: {@code restricted:v1.24}.
 *
 * @param minor of version 1; {@link #LATEST} for whatever is newest
 */
public record LevelVersion(SecurityLevel level, int minor) {
  public static final int LATEST = Integer.MAX_VALUE;

  private static final Pattern VERSION = Pattern.compile("v1\\.([0-9]|[1-9][0-9]{0,8})");

  LevelVersion with(SecurityLevel other) {
    return new LevelVersion(other, minor);
  }

  LevelVersion at(int otherMinor) {
    return new LevelVersion(level, otherMinor);
  }

  public static OptionalInt parseVersion(String text) {
    if (text.equals("latest")) {
      return OptionalInt.of(LATEST);
    }
    Matcher matcher = VERSION.matcher(text);
    return matcher.matches()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }

  @Override
  public String toString() {
    return level + ":" + (minor == LATEST ? "latest" : "v1." + minor);
  }
}
