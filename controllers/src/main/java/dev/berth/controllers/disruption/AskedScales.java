package dev.berth.controllers.disruption;

import dev.berth.client.Api;
import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Discovery;
import dev.berth.client.Target;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.ControllerScale;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many pods the controllers are to have that nobody here hears of: each is asked for its scale,
 * once discovery has said what resource it is of.
 *
 * @param scales by uid; controllers that are not there are missing
 * @param isComplete whether the server answered for all of them
 */
record AskedScales(Map<String, ControllerScale> scales, boolean isComplete) {
  static final AskedScales NONE = new AskedScales(Map.of(), true);

  /** Asks, one after the other. Blocks. */
  static AskedScales ask(Api api, String namespace, Collection<OwnerReference> controllers) {
    Questions questions = new Questions(api, namespace);
    controllers.forEach(questions::ask);
    return new AskedScales(questions.scales, questions.complete);
  }

  private static final class Questions {
    private final Api api;
    private final String namespace;
    private final Map<String, ApiResult> versions = new HashMap<>();
    private final Map<String, ControllerScale> scales = new LinkedHashMap<>();
    private boolean complete = true;

    Questions(Api api, String namespace) {
      this.api = api;
      this.namespace = namespace;
    }

    void ask(OwnerReference controller) {
      switch (versions.computeIfAbsent(controller.apiVersion(), this::discover)) {
        case ApiResult.Done(JsonObject served) -> ask(controller, served);
        case ApiResult.Refused(ApiError error) when error.isNotFound() ->
            unknown(controller, noMatch(controller));
        case ApiResult.Failure failure -> notAnswered(controller, failure);
      }
    }

    private ApiResult discover(String version) {
      return api.send(
          new ApiRequest.Discover((version.contains("/") ? "/apis/" : "/api/") + version));
    }

    private void ask(OwnerReference controller, JsonObject served) {
      String plural = Discovery.plural(served, controller.kind());
      if (plural.isEmpty()) {
        unknown(controller, noMatch(controller));
        return;
      }
      GroupVersionResource resource = GroupVersion.parse(controller.apiVersion()).resource(plural);
      if (!hasScale(served, plural)) {
        unknown(controller, resource.groupResource() + " does not implement the scale subresource");
        return;
      }
      Target target = Target.of(resource, new ObjectName(namespace, controller.name()));
      switch (api.send(new ApiRequest.Get(target.subresource("scale")))) {
        case ApiResult.Done(JsonObject scale) -> {
          if (Metadata.of(scale).uid().equals(controller.uid())) {
            long replicas = scale.object("spec").integer("replicas").orElse(0);
            scales.put(controller.uid(), new ControllerScale.Known(controller.uid(), replicas));
          }
        }
        case ApiResult.Refused(ApiError error) when error.isNotFound() -> {
          // It is no more, and so it is missing.
        }
        case ApiResult.Failure failure -> notAnswered(controller, failure);
      }
    }

    private void unknown(OwnerReference controller, String why) {
      scales.put(controller.uid(), new ControllerScale.Unknown(why));
    }

    private void notAnswered(OwnerReference controller, ApiResult.Failure failure) {
      complete = false;
      unknown(controller, failure.message());
    }

    private static String noMatch(OwnerReference controller) {
      return "no matches for kind \"%s\" in version \"%s\""
          .formatted(controller.kind(), controller.apiVersion());
    }

    private static boolean hasScale(JsonObject served, String plural) {
      return served.array("resources").objects().stream()
          .anyMatch(resource ->
              resource.text("name", "").equals(plural + "/scale")
                  && resource.text("kind", "").equals("Scale"));
    }
  }
}
