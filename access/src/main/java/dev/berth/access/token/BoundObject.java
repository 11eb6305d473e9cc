package dev.berth.access.token;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/** An object that a token names, by name and UID. A UID that is not known is empty. */
record BoundObject(String name, String uid) {

  static BoundObject of(JsonObject object) {
    Metadata metadata = Metadata.of(object);
    return new BoundObject(metadata.name(), metadata.uid());
  }

  static BoundObject ofClaim(JsonObject claim) {
    return new BoundObject(claim.text("name", ""), claim.text("uid", ""));
  }

  JsonObject toClaim() {
    JsonObject claim = JsonObject.of("name", name);
    return uid.isEmpty() ? claim : claim.with("uid", uid);
  }
}
