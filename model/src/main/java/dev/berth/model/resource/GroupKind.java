package dev.berth.model.resource;

/** A type of object whatever its version, written {@code Deployment.apps}. */
public record GroupKind(String group, String kind) {

  public GroupVersionKind at(String version) {
    return new GroupVersionKind(group, version, kind);
  }

  @Override
  public String toString() {
    return group.isEmpty() ? kind : kind + "." + group;
  }
}
