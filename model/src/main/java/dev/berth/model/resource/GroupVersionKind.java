package dev.berth.model.resource;

import dev.berth.model.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/** The type of an object: what its {@code apiVersion} and {@code kind} say. */
public record GroupVersionKind(String group, String version, String kind) {

  /**
   * The type that an object says it is of.
   *
   * @throws IllegalArgumentException if it does not say one
   */
  public static GroupVersionKind of(JsonObject object) {
    String kind = object.text("kind", "");
    if (kind.isEmpty()) {
      throw new IllegalArgumentException("Object 'Kind' is missing in the object");
    }
    return GroupVersion.parse(object.text("apiVersion", "")).kind(kind);
  }

  public GroupVersion groupVersion() {
    return new GroupVersion(group, version);
  }

  public GroupKind groupKind() {
    return new GroupKind(group, kind);
  }

  public String apiVersion() {
    return groupVersion().toString();
  }

  @Override
  public String toString() {
    return apiVersion() + ", Kind=" + kind;
  }

  /** By hand: what Java makes of a record is a chain of method handles, slow for long. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof GroupVersionKind that
            && kind.equals(that.kind)
            && group.equals(that.group)
            && version.equals(that.version));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * group.hashCode() + version.hashCode()) + kind.hashCode();
  }
}
