package dev.berth.agent.image;

/** Names of images, in the full form that all short forms stand for. */
final class ImageNames {
  private ImageNames() {}

  /**
   * Such as {@code docker.io/library/nginx:latest} for {@code nginx}: the first part is a registry
   * if it has a dot or a colon or is {@code localhost}.
   */
  static String full(String name) {
    int slash = name.indexOf('/');
    String first = slash < 0 ? "" : name.substring(0, slash);
    boolean hasRegistry = first.contains(".") || first.contains(":") || first.equals("localhost");
    String full = hasRegistry ? name : "docker.io/" + (slash < 0 ? "library/" : "") + name;
    boolean hasVersion = full.contains("@") || full.lastIndexOf(':') > full.lastIndexOf('/');
    return hasVersion ? full : full + ":latest";
  }
}
