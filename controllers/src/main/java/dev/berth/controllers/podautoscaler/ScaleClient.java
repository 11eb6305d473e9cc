package dev.berth.controllers.podautoscaler;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Target;
import dev.berth.model.autoscaling.AutoscalerView;
import dev.berth.model.autoscaling.AutoscalerView.ObjectReference;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;

/**
 * Reads and writes how many replicas the target of an autoscaler has, whatever kind of object it
 * is: by its subresource {@code scale}.
 *
 * <p>Its methods block, and are for calls beside the loop.
 */
final class ScaleClient {
  private static final int TRIES = 5;

  private final Api api;
  private final KindResolver kinds;

  ScaleClient(Api api, KindResolver kinds) {
    this.api = api;
    this.kinds = kinds;
  }

  /** What the target is found to be. */
  sealed interface Found {
    /**
     * There it is.
     *
     * @param target its subresource
     * @param scale an object of kind Scale
     */
    record At(Target target, JsonObject scale) implements Found {}

    /**
     * It is not there, or not reached.
     *
     * @param isOurFault whether what the autoscaler names can be nothing
     */
    record Failed(String why, boolean isOurFault) implements Found {}
  }

  Found find(AutoscalerView autoscaler) {
    ObjectReference reference = autoscaler.target();
    String group;
    try {
      group =
          reference.apiVersion().isEmpty()
              ? ""
              : GroupVersion.parse(reference.apiVersion()).group();
    } catch (IllegalArgumentException e) {
      return new Found.Failed(String.valueOf(e.getMessage()), true);
    }
    return switch (kinds.resolve(new GroupKind(group, reference.kind()))) {
      case KindResolver.Resolved.Failed(String why) -> new Found.Failed(why, false);
      case KindResolver.Resolved.Found(GroupVersionResource resource) -> {
        Target target =
            Target.of(resource, new ObjectName(autoscaler.namespace(), reference.name()))
                .subresource("scale");
        yield switch (api.send(new ApiRequest.Get(target))) {
          case ApiResult.Done(JsonObject scale) -> new Found.At(target, scale);
          case ApiResult.Failure failure -> new Found.Failed(failure.message(), false);
        };
      }
    };
  }

  /** Has the target have so many replicas, also if somebody else changes it at the same time. */
  ApiResult rescale(Found.At found, int replicas) {
    JsonObject scale = found.scale();
    ApiResult result = write(found.target(), scale, replicas);
    for (int i = 1; i < TRIES && result.isConflict(); i++) {
      if (api.send(new ApiRequest.Get(found.target())) instanceof ApiResult.Done(JsonObject now)) {
        scale = now;
      }
      result = write(found.target(), scale, replicas);
    }
    return result;
  }

  private ApiResult write(Target target, JsonObject scale, int replicas) {
    return api.send(
        new ApiRequest.Update(
            target, scale.update("spec", spec -> spec.with("replicas", (long) replicas))));
  }
}
