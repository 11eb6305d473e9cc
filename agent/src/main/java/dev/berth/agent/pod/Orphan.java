package dev.berth.agent.pod;

import dev.berth.agent.runtime.PodId;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.WellKnownAnnotations;
import dev.berth.model.tree.JsonObject;

/**
 * A pod that runs here and that nobody wants: what is known of it is its name. It gets a second to
 * end, as upstream gives it.
 */
final class Orphan {
  private static final String SOURCE = "runtime";

  private Orphan() {}

  static JsonObject of(PodId id) {
    JsonObject metadata =
        new JsonObject.Builder()
            .put("name", id.name())
            .put("namespace", id.namespace())
            .put("uid", id.uid())
            .put("annotations", JsonObject.of(WellKnownAnnotations.CONFIG_SOURCE, SOURCE))
            .build();
    return new JsonObject.Builder()
        .put("metadata", metadata)
        .put("spec", JsonObject.of("terminationGracePeriodSeconds", 1L))
        .build();
  }

  static boolean is(JsonObject pod) {
    return Metadata.of(pod)
        .annotation(WellKnownAnnotations.CONFIG_SOURCE)
        .filter(SOURCE::equals)
        .isPresent();
  }
}
