package dev.berth.model.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.meta.Times;
import dev.berth.model.meta.WireTime;
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
   * @param message what it left to say; empty if nothing
   * @param began null if it never began, or nobody knows when
   * @param at null if nobody knows
   * @param containerId with the runtime's name; empty if nobody knows
   */
  record Ended(
      int exitCode,
      String reason,
      String message,
      @Nullable Instant began,
      @Nullable Instant at,
      String containerId)
      implements ContainerState {

    /** What is said of a container that is gone, nobody knows how. */
    public static final int LOST = 137;

    /** The reason of one that was removed because all of its pod begin afresh. */
    public static final String RESTARTING_ALL = "RestartingAllContainers";

    /** The same with no more than the beginning of its message, cut between characters. */
    public Ended withMessageUpTo(int bytes) {
      byte[] all = message.getBytes(UTF_8);
      if (all.length <= bytes) {
        return this;
      }
      int end = bytes;
      while (end > 0 && (all[end] & 0xc0) == 0x80) {
        end--;
      }
      return new Ended(exitCode, reason, new String(all, 0, end, UTF_8), began, at, containerId);
    }

    /** The end of something that ran until now. */
    public static Ended of(int exitCode, @Nullable Instant began, Instant now) {
      return new Ended(exitCode, exitCode == 0 ? "Completed" : "Error", "", began, now, "");
    }

    public static Ended lost(String message) {
      return new Ended(LOST, "ContainerStatusUnknown", message, null, null, "");
    }

    public Ended of(String container) {
      return new Ended(exitCode, reason, message, began, at, container);
    }
  }

  /** As it stands in a status. */
  default JsonObject toTree() {
    return switch (this) {
      case Waiting(String reason, String message) -> {
        JsonObject.Builder waiting = new JsonObject.Builder().put("reason", reason);
        putUnlessEmpty(waiting, "message", message);
        yield JsonObject.of("waiting", waiting.build());
      }
      case Running(Instant since) ->
          JsonObject.of("running", JsonObject.of("startedAt", Times.format(since)));
      case Ended ended -> {
        JsonObject.Builder terminated =
            new JsonObject.Builder().put("exitCode", (long) ended.exitCode);
        putUnlessEmpty(terminated, "reason", ended.reason);
        putUnlessEmpty(terminated, "message", ended.message);
        terminated.putIfPresent("startedAt", WireTime.text(ended.began));
        terminated.putIfPresent("finishedAt", WireTime.text(ended.at));
        putUnlessEmpty(terminated, "containerID", ended.containerId);
        yield JsonObject.of("terminated", terminated.build());
      }
    };
  }

  private static void putUnlessEmpty(JsonObject.Builder tree, String field, String text) {
    if (!text.isEmpty()) {
      tree.put(field, text);
    }
  }

  /** Reads what {@link #toTree} writes, and what other agents may have written. */
  static ContainerState read(JsonObject state, Instant now) {
    JsonObject terminated = state.object("terminated");
    if (!terminated.isEmpty()) {
      return new Ended(
          (int) terminated.integer("exitCode").orElse(0),
          terminated.text("reason", ""),
          terminated.text("message", ""),
          WireTime.read(terminated, "startedAt"),
          WireTime.read(terminated, "finishedAt"),
          terminated.text("containerID", ""));
    }
    JsonObject running = state.object("running");
    if (!running.isEmpty()) {
      Instant since = WireTime.read(running, "startedAt");
      return new Running(since == null ? now : since);
    }
    JsonObject waiting = state.object("waiting");
    return new Waiting(waiting.text("reason", ""), waiting.text("message", ""));
  }
}
