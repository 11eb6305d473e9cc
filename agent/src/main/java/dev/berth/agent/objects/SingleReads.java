package dev.berth.agent.objects;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.Optional;

/** Reads of single objects, where an object that is not there is an answer. */
final class SingleReads {
  private SingleReads() {}

  static Optional<JsonObject> get(Api api, GroupVersionResource resource, ObjectName name)
      throws ObjectsUnavailable {
    ApiResult result = api.get(resource, name);
    if (result.isNotFound()) {
      return Optional.empty();
    }
    return switch (result) {
      case ApiResult.Done(JsonObject object) -> Optional.of(object);
      case ApiResult.Failure why -> throw new ObjectsUnavailable(why.message());
    };
  }
}
