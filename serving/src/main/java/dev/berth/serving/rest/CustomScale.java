package dev.berth.serving.rest;

import dev.berth.kinds.resource.CustomKind.ScalePaths;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;

/** The scale of a custom resource, whose definition says where its fields are. */
final class CustomScale {
  private CustomScale() {}

  static JsonObject scale(JsonObject object, ScalePaths paths) {
    JsonObject.Builder status =
        new JsonObject.Builder().put("replicas", number(object, paths.statusReplicas()));
    if (!paths.selector().isEmpty()
        && FieldPath.parse(paths.selector()).get(object) instanceof String selector
        && !selector.isEmpty()) {
      status.put("selector", selector);
    }
    return ScaleEndpoint.scale(object, number(object, paths.specReplicas()), status.build());
  }

  private static long number(JsonObject object, String path) {
    return FieldPath.parse(path).get(object) instanceof Long number ? number : 0;
  }

  static JsonObject withReplicas(JsonObject object, ScalePaths paths, long replicas) {
    return (JsonObject) FieldPath.parse(paths.specReplicas()).set(object, replicas);
  }
}
