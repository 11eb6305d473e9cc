package dev.berth.model.core;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/** The owner of an object that manages it, which is at most one of its owners. */
public record ControllerReference(String apiVersion, String kind, String name, String uid) {

  /** The one among an object's owner references that manages it; null if none does. */
  public static @Nullable ControllerReference among(JsonArray ownerReferences) {
    for (JsonObject owner : ownerReferences.objects()) {
      if (owner.flag("controller", false)) {
        return new ControllerReference(
            owner.text("apiVersion", ""),
            owner.text("kind", ""),
            owner.text("name", ""),
            owner.text("uid", ""));
      }
    }
    return null;
  }
}
