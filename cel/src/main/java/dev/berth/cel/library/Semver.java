package dev.berth.cel.library;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.TypedValue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A version, ordered as semver.org says; build metadata does not count. */
record Semver(long major, long minor, long patch, List<String> prerelease, String build)
    implements TypedValue, Comparable<Semver> {
  static final CelType TYPE = CelType.object("kubernetes.Semver");

  static Semver parse(String text) {
    if (text.isEmpty()) {
      throw new CelException("Version string empty");
    }
    String[] parts = text.split("\\.", 3);
    if (parts.length != 3) {
      throw new CelException("No Major.Minor.Patch elements found");
    }
    String patch = parts[2];
    String build = null;
    int plus = patch.indexOf('+');
    if (plus >= 0) {
      build = patch.substring(plus + 1);
      patch = patch.substring(0, plus);
    }
    String prerelease = null;
    int dash = patch.indexOf('-');
    if (dash >= 0) {
      prerelease = patch.substring(dash + 1);
      patch = patch.substring(0, dash);
    }
    return new Semver(
        number(parts[0], "major", "Major"),
        number(parts[1], "minor", "Minor"),
        number(patch, "patch", "Patch"),
        prerelease(prerelease),
        build(build));
  }

  /** Reads what people write: a leading {@code v}, leading zeros, missing parts. */
  static Semver parseLeniently(String text) {
    String[] parts = (text.startsWith("v") ? text.substring(1) : text).split("\\.", 3);
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i];
      if (part.length() > 1) {
        part = part.replaceFirst("^0+", "");
        parts[i] = part.isEmpty() || !Character.isDigit(part.charAt(0)) ? "0" + part : part;
      }
    }
    if (parts.length < 3) {
      String last = parts[parts.length - 1];
      if (last.indexOf('+') >= 0 || last.indexOf('-') >= 0) {
        throw new CelException("short version cannot contain PreRelease/Build meta data");
      }
    }
    StringBuilder full = new StringBuilder(String.join(".", parts));
    for (int i = parts.length; i < 3; i++) {
      full.append(".0");
    }
    return parse(full.toString());
  }

  private static long number(String text, String name, String capitalised) {
    if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new CelException(
          "Invalid character(s) found in " + name + " number " + GoNumbers.quote(text));
    }
    if (text.length() > 1 && text.startsWith("0")) {
      throw new CelException(
          capitalised + " number must not contain leading zeroes " + GoNumbers.quote(text));
    }
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new CelException(
          "strconv.ParseUint: parsing " + GoNumbers.quote(text) + ": value out of range");
    }
  }

  private static List<String> prerelease(@Nullable String text) {
    if (text == null) {
      return List.of();
    }
    List<String> parts = List.of(text.split("\\.", -1));
    for (String part : parts) {
      if (part.isEmpty()) {
        throw new CelException("Prerelease is empty");
      }
      if (isNumber(part)) {
        if (part.length() > 1 && part.startsWith("0")) {
          throw new CelException(
              "Numeric PreRelease version must not contain leading zeroes "
                  + GoNumbers.quote(part));
        }
      } else if (!isIdentifier(part)) {
        throw new CelException("Invalid character(s) found in prerelease " + GoNumbers.quote(part));
      }
    }
    return parts;
  }

  private static String build(@Nullable String text) {
    if (text == null) {
      return "";
    }
    for (String part : text.split("\\.", -1)) {
      if (part.isEmpty()) {
        throw new CelException("Build meta data is empty");
      }
      if (!isIdentifier(part)) {
        throw new CelException(
            "Invalid character(s) found in build meta data " + GoNumbers.quote(part));
      }
    }
    return text;
  }

  private static boolean isNumber(String text) {
    return text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private static boolean isIdentifier(String text) {
    return text.chars()
        .allMatch(c ->
            c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
  }

  @Override
  public int compareTo(Semver other) {
    int difference = Long.compareUnsigned(major, other.major);
    if (difference == 0) {
      difference = Long.compareUnsigned(minor, other.minor);
    }
    if (difference == 0) {
      difference = Long.compareUnsigned(patch, other.patch);
    }
    if (difference != 0) {
      return difference;
    }
    if (prerelease.isEmpty() || other.prerelease.isEmpty()) {
      return Boolean.compare(prerelease.isEmpty(), other.prerelease.isEmpty());
    }
    for (int i = 0; i < Math.min(prerelease.size(), other.prerelease.size()); i++) {
      int part = comparePart(prerelease.get(i), other.prerelease.get(i));
      if (part != 0) {
        return part;
      }
    }
    return Integer.compare(prerelease.size(), other.prerelease.size());
  }

  private static int comparePart(String a, String b) {
    boolean first = isNumber(a);
    boolean second = isNumber(b);
    if (first && second) {
      return a.length() == b.length() ? a.compareTo(b) : Integer.compare(a.length(), b.length());
    }
    return first == second ? a.compareTo(b) : first ? -1 : 1;
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  /** Versions that differ in their build alone are the same. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Semver that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(major * 31 * 31 + minor * 31 + patch) + prerelease.hashCode();
  }
}
