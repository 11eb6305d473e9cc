package dev.berth.kinds.pod;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name of an image: what it says about how long the image stays the same. */
final class ImageName {
  private static final String LABEL = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
  private static final String HOST =
      "(?:" + LABEL + "(?:\\." + LABEL + ")*|\\[[a-fA-F0-9:]+])(?::[0-9]+)?";
  private static final String PART = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
  private static final Pattern NAME =
      Pattern.compile(
          "(?:"
              + HOST
              + "/)?(?<path>"
              + PART
              + "(?:/"
              + PART
              + ")*)(?::(?<tag>\\w[\\w.-]{0,127}))?"
              + "(?<digest>@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,})?");

  private static final int LONGEST_PATH = 255;

  /** A digest alone, which names an image that is never pulled. */
  private static final Pattern DIGEST = Pattern.compile("[a-f0-9]{64}");

  private ImageName() {}

  /** An image that may change under its name is looked for each time; no name at all is not. */
  static String pullPolicy(String image) {
    Matcher name = NAME.matcher(image);
    if (DIGEST.matcher(image).matches()
        || !name.matches()
        || name.group("path").length() > LONGEST_PATH) {
      return "IfNotPresent";
    }
    String tag = name.group("tag");
    boolean newest = tag == null ? name.group("digest") == null : tag.equals("latest");
    return newest ? "Always" : "IfNotPresent";
  }
}
