package dev.berth.controllers.owned;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/**
 * The requests by which a controller takes objects for its own and lets them go; {@link
 * dev.berth.policy.owner.Ownership} says which. All of them block.
 *
 * @param controllers the resource of the owners
 * @param objects the resource of what they own
 * @param adopted what an adoption adds to the object's metadata, as a strategic merge patch
 * @param released what a release takes from it
 */
public record Adoption(
    Api api,
    GroupVersionResource controllers,
    GroupVersionResource objects,
    JsonObject adopted,
    JsonObject released) {
  private static final int INVALID = 422;

  public Adoption(Api api, GroupVersionResource controllers, GroupVersionResource objects) {
    this(api, controllers, objects, JsonObject.EMPTY, JsonObject.EMPTY);
  }

  /**
   * Makes a controller the owner of an object, having looked whether it is still there: a
   * controller that was deleted, and perhaps made again under its name, must not own anything new.
   */
  public ApiResult adopt(JsonObject controller, JsonObject object) {
    ApiResult found = stillThere(controller);
    return found.isDone()
        ? patch(object, OwnerReference.controllerOf(controller).toTree(), adopted)
        : found;
  }

  /** Whether a controller is still there to adopt something; not found if it is gone or going. */
  private ApiResult stillThere(JsonObject controller) {
    ApiResult found = api.get(controllers, ObjectName.of(controller));
    if (!(found instanceof ApiResult.Done(JsonObject fresh))) {
      return found;
    }
    Metadata owner = Metadata.of(fresh);
    return owner.uid().equals(Metadata.of(controller).uid()) && !owner.isBeingDeleted()
        ? found
        : new ApiResult.Refused(
            ApiError.of(404, ObjectName.of(controller) + " is gone or going, and adopts nothing"));
  }

  /** Ends a controller's ownership of an object; done as well if there is no such object. */
  public ApiResult release(String controllerUid, JsonObject object) {
    JsonObject reference =
        new JsonObject.Builder().put("$patch", "delete").put("uid", controllerUid).build();
    ApiResult result = patch(object, reference, released);
    boolean isAnother =
        result instanceof ApiResult.Refused(ApiError error) && error.code() == INVALID;
    return result.isNotFound() || isAnother ? new ApiResult.Done(JsonObject.EMPTY) : result;
  }

  private ApiResult patch(JsonObject object, JsonObject reference, JsonObject further) {
    JsonObject.Builder metadata =
        new JsonObject.Builder()
            .put("uid", Metadata.of(object).uid())
            .put("ownerReferences", JsonArray.of(reference));
    further.forEach(metadata::put);
    return api.patch(
        Target.of(objects, ObjectName.of(object)),
        PatchType.STRATEGIC,
        JsonObject.of("metadata", metadata.build()));
  }
}
