package dev.berth.model.resource;

import org.jspecify.annotations.Nullable;

/** A collection of objects as it is served: a group, a version and a plural name in lower case. */
public record GroupVersionResource(String group, String version, String resource) {

  public GroupVersion groupVersion() {
    return new GroupVersion(group, version);
  }

  public GroupResource groupResource() {
    return new GroupResource(group, resource);
  }

  @Override
  public String toString() {
    return groupVersion() + ", Resource=" + resource;
  }

  /** By hand: what Java makes of a record is a chain of method handles, slow for long. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof GroupVersionResource that
            && resource.equals(that.resource)
            && group.equals(that.group)
            && version.equals(that.version));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * group.hashCode() + version.hashCode()) + resource.hashCode();
  }
}
