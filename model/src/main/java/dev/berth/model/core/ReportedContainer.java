package dev.berth.model.core;

import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A container as its pod's status shows it.
 *
 * @param last how it ended before; null if it did not
 * @param containerId with the runtime's name; empty before it was started
 */
public record ReportedContainer(
    String name,
    ContainerState state,
    ContainerState.@Nullable Ended last,
    int restarts,
    String image,
    String imageId,
    String containerId) {

  /**
   * Reads it.
   *
   * @param now since when one runs that does not say it
   */
  static ReportedContainer read(JsonObject status, Instant now) {
    return new ReportedContainer(
        status.text("name", ""),
        ContainerState.read(status.object("state"), now),
        ContainerState.read(status.object("lastState"), now) instanceof ContainerState.Ended ended
            ? ended
            : null,
        (int) status.integer("restartCount").orElse(0),
        status.text("image", ""),
        status.text("imageID", ""),
        status.text("containerID", ""));
  }
}
