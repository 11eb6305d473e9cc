package dev.berth.kinds.core;

import dev.berth.kinds.resource.FieldRules;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownLabels;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;

/**
 * Namespaces. One that is being deleted stays until the finalizers of its specification are gone,
 * which go through a path of their own: by then, what was in it is gone.
 */
final class NamespaceRules implements ResourceRules {
  static final String FINALIZE = "finalize";

  @Override
  public JsonObject defaults(JsonObject namespace) {
    String name = Metadata.of(namespace).name();
    return name.isEmpty()
        ? namespace
        : Metadata.update(
            namespace,
            metadata ->
                FieldRules.within(
                    metadata, "labels", l -> l.with(WellKnownLabels.NAMESPACE_NAME, name)));
  }

  @Override
  public JsonObject prepareForCreate(JsonObject namespace, Instant now) {
    return namespace
        .with("spec", JsonObject.of("finalizers", JsonArray.of("kubernetes")))
        .with("status", JsonObject.of("phase", "Active"));
  }

  @Override
  public JsonObject prepareForUpdate(JsonObject namespace, JsonObject old, Instant now) {
    return FieldRules.keep("spec", namespace, old);
  }

  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    return subresource.equals(FINALIZE)
        ? FieldRules.keep("spec", old.with("metadata", object.object("metadata")), object)
        : ResourceRules.super.throughSubresource(subresource, object, old);
  }

  @Override
  public JsonObject prepareForDelete(JsonObject namespace) {
    return FieldRules.within(namespace, "status", status -> status.with("phase", "Terminating"));
  }

  @Override
  public boolean isHeld(JsonObject namespace) {
    return !namespace.object("spec").array("finalizers").isEmpty();
  }
}
