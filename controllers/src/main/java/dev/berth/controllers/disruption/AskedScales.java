package dev.berth.controllers.disruption;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.ControllerScale;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many pods the controllers are to have that nobody here hears of: each is asked for its scale.
 *
 * @param scales by uid; controllers that are not there are missing
 * @param isComplete whether the server answered for all of them
 */
record AskedScales(Map<String, ControllerScale> scales, boolean isComplete) {
  static final AskedScales NONE = new AskedScales(Map.of(), true);

  /** Asks, one after the other. Blocks. */
  static AskedScales ask(Api api, String namespace, Collection<OwnerReference> controllers) {
    Map<String, ControllerScale> scales = new LinkedHashMap<>();
    boolean complete = true;
    for (OwnerReference controller : controllers) {
      GroupVersionResource resource = Workloads.resource(controller);
      ObjectName name = new ObjectName(namespace, controller.name());
      switch (api.send(new ApiRequest.Get(Target.of(resource, name).subresource("scale")))) {
        case ApiResult.Done(JsonObject scale) -> {
          if (Metadata.of(scale).uid().equals(controller.uid())) {
            long replicas = scale.object("spec").integer("replicas").orElse(0);
            scales.put(controller.uid(), new ControllerScale.Known(controller.uid(), replicas));
          }
        }
        case ApiResult.Refused(ApiError error) when error.isNotFound() -> {
          if (!isAbout(error, controller.name())) {
            scales.put(
                controller.uid(),
                new ControllerScale.Unknown(
                    resource.groupResource() + " does not implement the scale subresource"));
          }
        }
        case ApiResult.Failure failure -> {
          complete = false;
          scales.put(controller.uid(), new ControllerScale.Unknown(failure.message()));
        }
      }
    }
    return new AskedScales(scales, complete);
  }

  /** Whether an object was not found; otherwise there is no such resource, or it has no scale. */
  private static boolean isAbout(ApiError error, String name) {
    return error.status().object("details").text("name", "").equals(name);
  }
}
