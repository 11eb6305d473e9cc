package dev.berth.policy.owner;

import dev.berth.model.core.PodTemplate;
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
    PodTemplate given = new PodTemplate(template);
    Metadata owner = Metadata.of(controller);
    JsonObject metadata =
        given
            .podMetadata()
            .with("generateName", owner.name() + "-")
            .with("namespace", owner.namespace())
            .with(
                "ownerReferences", JsonArray.of(OwnerReference.controllerOf(controller).toTree()));
    return new JsonObject.Builder()
        .put("kind", "Pod")
        .put("apiVersion", "v1")
        .put("metadata", metadata)
        .put("spec", given.spec())
        .build();
  }
}
