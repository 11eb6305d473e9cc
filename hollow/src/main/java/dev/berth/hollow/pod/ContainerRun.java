package dev.berth.hollow.pod;

import dev.berth.model.core.ContainerState;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A container as its node knows it.
 *
 * @param restarts how often it was started again
 * @param last how it ended before it was started again; null if it never did
 */
public record ContainerRun(
    ContainerState state, int restarts, ContainerState.@Nullable Ended last) {

  static ContainerRun waiting(String reason) {
    return new ContainerRun(new ContainerState.Waiting(reason, ""), 0, null);
  }

  static ContainerRun running(Instant since) {
    return new ContainerRun(new ContainerState.Running(since), 0, null);
  }

  /** It ends now, if it runs; what never ran ends as a container does that was never started. */
  ContainerRun ended(int exitCode, Instant now) {
    return switch (state) {
      case ContainerState.Running(Instant since) ->
          new ContainerRun(ContainerState.Ended.of(exitCode, since, now), restarts, last);
      case ContainerState.Waiting _ when last != null -> new ContainerRun(last, restarts, last);
      case ContainerState.Waiting _ ->
          new ContainerRun(ContainerState.Ended.of(exitCode, null, now), restarts, null);
      case ContainerState.Ended _ -> this;
    };
  }

  /** It ended, and waits to be started again. */
  ContainerRun backingOff(String message) {
    return state instanceof ContainerState.Ended ended
        ? new ContainerRun(new ContainerState.Waiting("CrashLoopBackOff", message), restarts, ended)
        : this;
  }

  /** It is started again now. */
  ContainerRun restarted(Instant now) {
    return switch (state) {
      case ContainerState.Ended ended ->
          new ContainerRun(new ContainerState.Running(now), restarts + 1, ended);
      case ContainerState.Waiting _ when last != null ->
          new ContainerRun(new ContainerState.Running(now), restarts + 1, last);
      case ContainerState.Waiting _ -> running(now);
      case ContainerState.Running _ -> this;
    };
  }

  boolean isRunning() {
    return state instanceof ContainerState.Running;
  }

  /** The exit code that counts: of its end, or of its last one while it waits; -1 if none. */
  int exitCode() {
    return state instanceof ContainerState.Ended ended
        ? ended.exitCode()
        : last == null || isRunning() ? -1 : last.exitCode();
  }

  static ContainerRun read(JsonObject status, Instant now) {
    return new ContainerRun(
        withoutId(ContainerState.read(status.object("state"), now)),
        (int) status.integer("restartCount").orElse(0),
        withoutId(ContainerState.read(status.object("lastState"), now))
                instanceof ContainerState.Ended ended
            ? ended
            : null);
  }

  /** Its id follows from how often it was started. */
  private static ContainerState withoutId(ContainerState state) {
    return state instanceof ContainerState.Ended ended ? ended.of("") : state;
  }
}
