package dev.berth.model.resource;

import org.jspecify.annotations.Nullable;

/**
 * An API group at a version, written {@code apps/v1}, or {@code v1} for the core group, whose name
 * is empty.
 */
public record GroupVersion(String group, String version) {
  public static final GroupVersion CORE_V1 = new GroupVersion("", "v1");

  public GroupVersion {
    if (version.isEmpty() || version.indexOf('/') >= 0 || group.indexOf('/') >= 0) {
      throw new IllegalArgumentException(
          "not a group and version: \"" + group + "\", \"" + version + "\"");
    }
  }

  /**
   * Reads an object's {@code apiVersion}.
   *
   * @throws IllegalArgumentException if the text is empty or has more than one slash
   */
  public static GroupVersion parse(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    boolean wellFormed =
        !apiVersion.isEmpty()
            && slash == apiVersion.lastIndexOf('/')
            && slash != 0
            && slash != apiVersion.length() - 1;
    if (!wellFormed) {
      throw new IllegalArgumentException("unexpected GroupVersion string: " + apiVersion);
    }
    return slash < 0
        ? new GroupVersion("", apiVersion)
        : new GroupVersion(apiVersion.substring(0, slash), apiVersion.substring(slash + 1));
  }

  public GroupVersionKind kind(String kind) {
    return new GroupVersionKind(group, version, kind);
  }

  public GroupVersionResource resource(String resource) {
    return new GroupVersionResource(group, version, resource);
  }

  /** The form of an object's {@code apiVersion}. */
  @Override
  public String toString() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** By hand: what Java makes of a record is a chain of method handles, slow for long. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof GroupVersion that
            && group.equals(that.group)
            && version.equals(that.version));
  }

  @Override
  public int hashCode() {
    return 31 * group.hashCode() + version.hashCode();
  }
}
