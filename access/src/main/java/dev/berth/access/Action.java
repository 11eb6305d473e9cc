package dev.berth.access;

import dev.berth.model.resource.GroupResource;

/** What somebody wants to do. */
public sealed interface Action {
  String verb();

  /**
   * Something with objects.
   *
   * @param namespace empty at the scope of the cluster
   * @param name empty for a collection
   * @param subresource empty for the object itself
   */
  record OnResource(
      String verb, GroupResource resource, String namespace, String name, String subresource)
      implements Action {

    /** The resource as roles write it, with its subresource: {@code pods/log}. */
    public String path() {
      return subresource.isEmpty() ? resource.resource() : resource.resource() + "/" + subresource;
    }
  }

  /** Something with a path that is no resource's. */
  record OnPath(String verb, String path) implements Action {}
}
