package dev.berth.controllers.garbagecollector;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Target;
import dev.berth.controllers.garbagecollector.Node.Identity;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the collector changes in the metadata of objects. Each change is of one revision, since
 * lists are replaced as a whole: a server refuses it if somebody else was faster. They run beside
 * the loop, and block.
 */
record Changes(Api api) {

  /** Takes owners, given by UID, from an object. */
  ApiResult release(Identity identity, JsonObject object, Set<String> owners) {
    List<JsonObject> left = new ArrayList<>();
    for (JsonObject reference : references(object)) {
      if (!owners.contains(reference.text("uid", ""))) {
        left.add(reference);
      }
    }
    return patch(identity, object, "ownerReferences", left);
  }

  /** Reads an object, and takes an owner from it if it still has that one. */
  ApiResult orphan(Identity identity, String uid, String owner) {
    ApiResult read = api.get(identity.served().resource(), identity.name());
    if (!(read instanceof ApiResult.Done(JsonObject object))) {
      return read;
    }
    boolean refers = references(object).stream().anyMatch(r -> r.text("uid", "").equals(owner));
    return refers && Metadata.of(object).uid().equals(uid)
        ? release(identity, object, Set.of(owner))
        : read;
  }

  /** Reads an object, and lets an owner no longer wait for it. */
  ApiResult unblock(Identity identity, String uid, String owner) {
    ApiResult read = api.get(identity.served().resource(), identity.name());
    if (!(read instanceof ApiResult.Done(JsonObject object))
        || !Metadata.of(object).uid().equals(uid)) {
      return read;
    }
    List<JsonObject> all = new ArrayList<>();
    for (JsonObject reference : references(object)) {
      boolean meant = reference.text("uid", "").equals(owner);
      all.add(meant ? reference.with("blockOwnerDeletion", false) : reference);
    }
    return patch(identity, object, "ownerReferences", all);
  }

  /** Lets no owner of an object wait for it. */
  ApiResult unblock(Identity identity, JsonObject object) {
    List<JsonObject> all = new ArrayList<>();
    references(object).forEach(reference -> all.add(reference.with("blockOwnerDeletion", false)));
    return patch(identity, object, "ownerReferences", all);
  }

  /** Reads an object that is being deleted, and takes a finalizer from it if it has it. */
  ApiResult removeFinalizer(Identity identity, String uid, String finalizer) {
    ApiResult read = api.get(identity.served().resource(), identity.name());
    if (!(read instanceof ApiResult.Done(JsonObject object))) {
      return read;
    }
    Metadata metadata = Metadata.of(object);
    List<String> left = new ArrayList<>(metadata.finalizers());
    boolean concerned =
        metadata.uid().equals(uid) && metadata.isBeingDeleted() && left.remove(finalizer);
    return concerned ? patch(identity, object, "finalizers", left) : read;
  }

  private static List<JsonObject> references(JsonObject object) {
    return object.object("metadata").array("ownerReferences").objects();
  }

  private ApiResult patch(Identity identity, JsonObject object, String field, List<?> values) {
    JsonObject metadata =
        new JsonObject.Builder()
            .put("uid", Metadata.of(object).uid())
            .put("resourceVersion", Metadata.of(object).resourceVersion())
            .put(field, values.isEmpty() ? JsonNull.NULL : JsonArray.copyOf(values))
            .build();
    return api.patch(
        Target.of(identity.served().resource(), identity.name()),
        PatchType.MERGE,
        JsonObject.of("metadata", metadata));
  }
}
