package dev.berth.model.batch;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/** What a CronJob makes its jobs from. Its jobs get all of it as it is. */
public record JobTemplate(JsonObject tree) {

  /** What its jobs get of its metadata: labels and annotations. */
  public JsonObject jobMetadata() {
    JsonObject metadata = Metadata.of(tree).tree();
    return new JsonObject.Builder()
        .putIfPresent("labels", metadata.get("labels"))
        .putIfPresent("annotations", metadata.get("annotations"))
        .build();
  }

  /** The specification as the tree has it. */
  public JsonObject spec() {
    return tree.object("spec");
  }
}
