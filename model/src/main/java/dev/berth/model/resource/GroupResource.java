package dev.berth.model.resource;

import org.jspecify.annotations.Nullable;

/** A collection of objects whatever its version, written {@code deployments.apps}. */
public record GroupResource(String group, String resource) {

  public GroupVersionResource at(String version) {
    return new GroupVersionResource(group, version, resource);
  }

  @Override
  public String toString() {
    return group.isEmpty() ? resource : resource + "." + group;
  }

  /** By hand: what Java makes of a record is a chain of method handles, slow for long. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof GroupResource that
            && resource.equals(that.resource)
            && group.equals(that.group));
  }

  @Override
  public int hashCode() {
    return 31 * group.hashCode() + resource.hashCode();
  }
}
