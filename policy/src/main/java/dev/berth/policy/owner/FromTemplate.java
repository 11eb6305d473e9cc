package dev.berth.policy.owner;

import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.OwnerReference;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;

/** A pod as a controller makes it from its template: without a name, to be named by the server. */
public final class FromTemplate {
  private FromTemplate() {}

  /**
   * A pod of the template's labels, annotations, finalizers and specification, which the controller
   * owns. Its name begins with the controller's.
   */
  public static JsonObject pod(JsonObject controller, JsonObject template) {
    JsonObject given = template.object("metadata");
    Metadata owner = Metadata.of(controller);
    JsonObject metadata =
        new JsonObject.Builder()
            .put("generateName", owner.name() + "-")
            .put("namespace", owner.namespace())
            .putIfPresent("labels", given.get("labels"))
            .putIfPresent("annotations", given.get("annotations"))
            .putIfPresent("finalizers", given.get("finalizers"))
            .put("ownerReferences", JsonArray.of(OwnerReference.controllerOf(controller).toTree()))
            .build();
    return new JsonObject.Builder()
        .put("kind", "Pod")
        .put("apiVersion", "v1")
        .put("metadata", metadata)
        .put("spec", template.object("spec"))
        .build();
  }
}
