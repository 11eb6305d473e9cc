package dev.berth.model.core;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.util.function.UnaryOperator;

/**
 * What a controller makes its pods from. All but a few fields is open content, which its pods get
 * as it is.
 */
public record PodTemplate(JsonObject tree) {

  public JsonObject labels() {
    return Metadata.of(tree).labels();
  }

  /** What its pods get of its metadata: labels, annotations and finalizers. */
  public JsonObject podMetadata() {
    JsonObject metadata = Metadata.of(tree).tree();
    return new JsonObject.Builder()
        .putIfPresent("labels", metadata.get("labels"))
        .putIfPresent("annotations", metadata.get("annotations"))
        .putIfPresent("finalizers", metadata.get("finalizers"))
        .build();
  }

  public PodTemplate withLabel(String key, String value) {
    return withLabels(labels -> labels.with(key, value));
  }

  public PodTemplate withoutLabel(String key) {
    return withLabels(labels -> labels.without(key));
  }

  private PodTemplate withLabels(UnaryOperator<JsonObject> change) {
    return new PodTemplate(tree.update("metadata", metadata -> metadata.update("labels", change)));
  }

  /** The specification as the tree has it; {@link PodSpecView#read} reads it. */
  public JsonObject spec() {
    return tree.object("spec");
  }
}
