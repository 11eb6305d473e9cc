package dev.berth.agent.volume;

import dev.berth.model.reference.PodReferences;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The containers of a pod, of all kinds. */
final class Containers {
  private Containers() {}

  static List<JsonObject> of(JsonObject pod) {
    JsonObject spec = pod.object("spec");
    return PodReferences.CONTAINER_LISTS.stream()
        .flatMap(list -> spec.array(list).objects().stream())
        .toList();
  }
}
