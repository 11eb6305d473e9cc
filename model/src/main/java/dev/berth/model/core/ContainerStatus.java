package dev.berth.model.core;

import dev.berth.model.meta.WireTime;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a container of a pod stands, as its node reports it.
 *
 * @param exitCode how it ended; 0 also if it has not
 * @param finishedAt when it ended; null if it has not, or does not say
 */
public record ContainerStatus(
    String name, long restartCount, long exitCode, @Nullable Instant finishedAt) {

  public static ContainerStatus read(JsonObject status) {
    JsonObject terminated = status.object("state").object("terminated");
    return new ContainerStatus(
        status.text("name", ""),
        status.integer("restartCount").orElse(0),
        terminated.integer("exitCode").orElse(0),
        WireTime.read(terminated, "finishedAt"));
  }
}
