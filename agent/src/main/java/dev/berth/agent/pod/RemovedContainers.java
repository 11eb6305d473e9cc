package dev.berth.agent.pod;

import dev.berth.model.core.ContainerState;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is said of containers that were removed so that all of their pod begin afresh. */
final class RemovedContainers {
  private static final String REASON = ContainerState.Ended.RESTARTING_ALL;
  private static final String MESSAGE =
      "The container is removed because RestartAllContainers in place";

  private RemovedContainers() {}

  /** The status of a pod after all of its containers were removed. */
  static JsonObject in(JsonObject status) {
    JsonObject after = status;
    for (String field : List.of("initContainerStatuses", "containerStatuses")) {
      if (after.has(field)) {
        after = after.with(field, after.array(field).mapObjects(RemovedContainers::removed));
      }
    }
    return after;
  }

  private static JsonObject removed(JsonObject container) {
    if (container.object("state").has("waiting")) {
      return container;
    }
    ContainerState.Ended end =
        new ContainerState.Ended(ContainerState.Ended.LOST, REASON, MESSAGE, null, null, "");
    return container
        .with("state", new ContainerState.Waiting(REASON, MESSAGE).toTree())
        .with("lastState", end.toTree())
        .with("restartCount", container.integer("restartCount").orElse(0) + 1);
  }
}
