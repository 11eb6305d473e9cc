package dev.berth.policy.podrun;

import dev.berth.model.core.ContainerState;
import dev.berth.model.tree.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What a node says of a container.
 *
 * @param last how it ended before; null if it did not, or that is forgotten
 * @param containerId with the runtime's name; empty before it was started
 */
public record ContainerReport(
    String name,
    ContainerState state,
    ContainerState.@Nullable Ended last,
    int restarts,
    boolean isReady,
    boolean isStarted,
    String image,
    String imageId,
    String containerId) {

  boolean isRunning() {
    return state instanceof ContainerState.Running;
  }

  /** How it ended, if it has and does not run again; null otherwise. */
  ContainerState.@Nullable Ended end() {
    return switch (state) {
      case ContainerState.Ended ended -> ended;
      case ContainerState.Waiting _ -> last;
      case ContainerState.Running _ -> null;
    };
  }

  ContainerReport with(ContainerState other) {
    return new ContainerReport(
        name, other, last, restarts, false, false, image, imageId, containerId);
  }

  /**
   * The same with messages of at most so many bytes. The beginning is kept, of what is the end of
   * what a container has said if it has said a lot.
   */
  ContainerReport withMessagesUpTo(int bytes) {
    ContainerState limited =
        state instanceof ContainerState.Ended ended ? ended.withMessageUpTo(bytes) : state;
    ContainerState.Ended limitedLast = last == null ? null : last.withMessageUpTo(bytes);
    return new ContainerReport(
        name, limited, limitedLast, restarts, isReady, isStarted, image, imageId, containerId);
  }

  /**
   * As it stands in a status.
   *
   * @param isEphemeral whether nobody asks if it is ready
   * @param details further fields that do not follow from what it does, such as its resources
   */
  JsonObject toTree(boolean isEphemeral, JsonObject details) {
    JsonObject.Builder status =
        new JsonObject.Builder()
            .put("name", name)
            .put("state", state.toTree())
            .put("lastState", last == null ? JsonObject.EMPTY : last.toTree())
            .put("ready", isReady)
            .put("restartCount", (long) restarts)
            .put("image", image)
            .put("imageID", imageId);
    if (!containerId.isEmpty()) {
      status.put("containerID", containerId);
    }
    if (!isEphemeral) {
      status.put("started", isStarted);
    }
    details.forEach(status::put);
    return status.build();
  }
}
