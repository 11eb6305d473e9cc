package dev.berth.customresources.instance;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order in which versions are preferred: {@code v2}, {@code v1}, {@code v1beta2}, {@code
 * v1beta1}, {@code v1alpha1}, and then all other names, in the order of the alphabet.
 */
public final class VersionOrder implements Comparator<String> {
  public static final VersionOrder PREFERRED_FIRST = new VersionOrder();

  private static final Pattern VERSION =
      Pattern.compile("v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?");

  private VersionOrder() {}

  private record Parsed(int stage, int major, int minor) {}

  private static Parsed parse(String version) {
    Matcher matcher = VERSION.matcher(version);
    if (!matcher.matches()) {
      return new Parsed(0, 0, 0);
    }
    String word = matcher.group(2);
    int stage = word == null ? 3 : word.equals("beta") ? 2 : 1;
    int minor = word == null ? 0 : Integer.parseInt(matcher.group(3));
    return new Parsed(stage, Integer.parseInt(matcher.group(1)), minor);
  }

  @Override
  public int compare(String first, String second) {
    Parsed one = parse(first);
    Parsed other = parse(second);
    if (one.stage == 0 && other.stage == 0) {
      return first.compareTo(second);
    }
    int order = Integer.compare(other.stage, one.stage);
    order = order != 0 ? order : Integer.compare(other.major, one.major);
    return order != 0 ? order : Integer.compare(other.minor, one.minor);
  }
}
