package dev.berth.hollow.pod;

import dev.berth.model.meta.Times;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a container is doing. */
public sealed interface ContainerState {

  /** It does not run, but will. */
  record Waiting(String reason, String message) implements ContainerState {}

  record Running(Instant since) implements ContainerState {}

  /**
   * It ran.
   *
   * @param began null if it never began
   */
  record Ended(int exitCode, String reason, @Nullable Instant began, Instant at)
      implements ContainerState {

    /** The end of something that ran until now. */
    static Ended of(int exitCode, @Nullable Instant began, Instant now) {
      return new Ended(exitCode, exitCode == 0 ? "Completed" : "Error", began, now);
    }
  }

  /** As it stands in a status. */
  default JsonObject toTree(String containerId) {
    return switch (this) {
      case Waiting(String reason, String message) -> {
        JsonObject.Builder waiting = new JsonObject.Builder().put("reason", reason);
        if (!message.isEmpty()) {
          waiting.put("message", message);
        }
        yield JsonObject.of("waiting", waiting.build());
      }
      case Running(Instant since) ->
          JsonObject.of("running", JsonObject.of("startedAt", Times.format(since)));
      case Ended ended -> {
        JsonObject.Builder terminated =
            new JsonObject.Builder()
                .put("exitCode", (long) ended.exitCode)
                .put("reason", ended.reason);
        if (ended.began != null) {
          terminated.put("startedAt", Times.format(ended.began));
        }
        terminated.put("finishedAt", Times.format(ended.at)).put("containerID", containerId);
        yield JsonObject.of("terminated", terminated.build());
      }
    };
  }

  /** Reads what {@link #toTree} writes, and what other agents may have written. */
  static ContainerState read(JsonObject state, Instant now) {
    JsonObject terminated = state.object("terminated");
    if (!terminated.isEmpty()) {
      return new Ended(
          (int) terminated.integer("exitCode").orElse(0),
          terminated.text("reason", ""),
          time(terminated, "startedAt"),
          orElse(time(terminated, "finishedAt"), now));
    }
    JsonObject running = state.object("running");
    if (!running.isEmpty()) {
      return new Running(orElse(time(running, "startedAt"), now));
    }
    JsonObject waiting = state.object("waiting");
    return new Waiting(waiting.text("reason", ""), waiting.text("message", ""));
  }

  private static Instant orElse(@Nullable Instant time, Instant otherwise) {
    return time == null ? otherwise : time;
  }

  private static @Nullable Instant time(JsonObject object, String field) {
    String text = object.text(field);
    return text == null ? null : Times.parse(text);
  }
}
