package dev.berth.model.resource;

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
}
