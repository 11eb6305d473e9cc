package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;

/** Where objects are in the store: {@code /registry/deployments.apps/default/web}. */
final class ObjectKeys {
  private ObjectKeys() {}

  static String of(Resource resource, ObjectName name) {
    return prefix(resource, name.namespace()) + name.name();
  }

  /** What the keys of a resource begin with, in one namespace or, if it is empty, in all. */
  static String prefix(Resource resource, String namespace) {
    String all = "/registry/" + resource.stored().groupResource() + "/";
    return namespace.isEmpty() ? all : all + namespace + "/";
  }
}
