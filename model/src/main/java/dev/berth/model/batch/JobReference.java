package dev.berth.model.batch;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;

/** A job, as the status of its CronJob speaks of it. */
public record JobReference(JsonObject tree) {

  public static JobReference to(JobView job) {
    Metadata metadata = job.metadata();
    return new JobReference(
        new JsonObject.Builder()
            .put("kind", "Job")
            .put("namespace", metadata.namespace())
            .put("name", metadata.name())
            .put("uid", metadata.uid())
            .put("apiVersion", "batch/v1")
            .put("resourceVersion", metadata.resourceVersion())
            .build());
  }

  public String name() {
    return tree.text("name", "");
  }

  public String uid() {
    return tree.text("uid", "");
  }
}
