package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;

/** Where objects are in the store: {@code /registry/deployments.apps/default/web}. */
final class ObjectKeys {
  private ObjectKeys() {}

  static String of(Resource resource, ObjectName name) {
    String plural = resource.stored().toString();
    return name.namespace().isEmpty()
        ? "/registry/" + plural + "/" + name.name()
        : "/registry/" + plural + "/" + name.namespace() + "/" + name.name();
  }

  /** What the keys of a resource begin with, in one namespace or, if it is empty, in all. */
  static String prefix(Resource resource, String namespace) {
    String plural = resource.stored().toString();
    return namespace.isEmpty()
        ? "/registry/" + plural + "/"
        : "/registry/" + plural + "/" + namespace + "/";
  }
}
