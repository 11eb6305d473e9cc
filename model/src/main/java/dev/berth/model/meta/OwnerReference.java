package dev.berth.model.meta;

import dev.berth.model.tree.JsonObject;

/**
 * An object that another one belongs to, and goes with when it is deleted.
 *
 * @param controller whether the owner manages the object; an object has at most one such owner
 * @param blocksOwnerDeletion whether a foreground deletion of the owner waits for the object
 */
public record OwnerReference(
    String apiVersion,
    String kind,
    String name,
    String uid,
    boolean controller,
    boolean blocksOwnerDeletion) {

  public static OwnerReference fromTree(JsonObject tree) {
    return new OwnerReference(
        tree.text("apiVersion", ""),
        tree.text("kind", ""),
        tree.text("name", ""),
        tree.text("uid", ""),
        tree.flag("controller", false),
        tree.flag("blockOwnerDeletion", false));
  }

  /** The reference of a controller to what it makes, which both manages it and waits for it. */
  public static OwnerReference controllerOf(JsonObject owner) {
    Metadata metadata = Metadata.of(owner);
    return new OwnerReference(
        owner.text("apiVersion", ""),
        owner.text("kind", ""),
        metadata.name(),
        metadata.uid(),
        true,
        true);
  }

  public JsonObject toTree() {
    return new JsonObject.Builder()
        .put("apiVersion", apiVersion)
        .put("kind", kind)
        .put("name", name)
        .put("uid", uid)
        .putIfPresent("controller", controller ? true : null)
        .putIfPresent("blockOwnerDeletion", blocksOwnerDeletion ? true : null)
        .build();
  }
}
