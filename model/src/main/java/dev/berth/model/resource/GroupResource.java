package dev.berth.model.resource;

/** A collection of objects whatever its version, written {@code deployments.apps}. */
public record GroupResource(String group, String resource) {

  public GroupVersionResource at(String version) {
    return new GroupVersionResource(group, version, resource);
  }

  @Override
  public String toString() {
    return group.isEmpty() ? resource : resource + "." + group;
  }
}
