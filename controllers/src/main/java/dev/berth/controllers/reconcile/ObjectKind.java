package dev.berth.controllers.reconcile;

import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;

/**
 * A kind of objects that a controller looks after.
 *
 * @param kind its name, such as {@code ReplicaSet}
 */
public record ObjectKind(GroupVersionResource resource, String kind, String apiVersion) {
  public ObjectKind(GroupVersionResource resource, String kind) {
    this(resource, kind, resource.groupVersion().toString());
  }

  /** An object that says what kind it is, which those in lists of some servers do not. */
  public JsonObject named(JsonObject object) {
    return object.with("kind", kind).with("apiVersion", apiVersion);
  }

  /** Whether an owner is of this kind. */
  public boolean isKindOf(OwnerReference owner) {
    return owner.kind().equals(kind) && owner.apiVersion().equals(apiVersion);
  }
}
