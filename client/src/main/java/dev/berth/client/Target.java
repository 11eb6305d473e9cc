package dev.berth.client;

import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;

/**
 * What a request is about.
 *
 * @param name the object; without a name for a create, whose object carries its own
 * @param subresource such as {@code status} or {@code binding}; empty for the object
 */
public record Target(GroupVersionResource resource, ObjectName name, String subresource) {

  public static Target of(GroupVersionResource resource, ObjectName name) {
    return new Target(resource, name, "");
  }

  /** The objects in a namespace, which is empty for a resource that has none. */
  public static Target all(GroupVersionResource resource, String namespace) {
    return new Target(resource, new ObjectName(namespace, ""), "");
  }

  /** A subresource of the same object. */
  public Target subresource(String subresource) {
    return new Target(resource, name, subresource);
  }

  @Override
  public String toString() {
    return resource.groupResource()
        + (name.name().isEmpty() ? " in " + name.namespace() : " " + name)
        + (subresource.isEmpty() ? "" : "/" + subresource);
  }
}
