package dev.berth.model.resource;

import org.jspecify.annotations.Nullable;

/** A type of object whatever its version, written {@code Deployment.apps}. */
public record GroupKind(String group, String kind) {

  public GroupVersionKind at(String version) {
    return new GroupVersionKind(group, version, kind);
  }

  @Override
  public String toString() {
    return group.isEmpty() ? kind : kind + "." + group;
  }

  /** By hand: what Java makes of a record is a chain of method handles, slow for long. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof GroupKind that && kind.equals(that.kind) && group.equals(that.group));
  }

  @Override
  public int hashCode() {
    return 31 * group.hashCode() + kind.hashCode();
  }
}
