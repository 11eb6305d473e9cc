package dev.berth.component;

import java.time.Instant;
import java.util.Optional;

/** How a component is, for operators. Times are the wall clock's. */
public sealed interface ComponentStatus {

  /**
   * Somebody asked for it; it is about to be started.
   *
   * @param isAwaited whether the process is not ready before
   */
  record Starting(boolean isAwaited) implements ComponentStatus {}

  /** It was started, and nothing of it has failed since. */
  record Running(Instant since) implements ComponentStatus {}

  /**
   * It failed, and waits to be started afresh.
   *
   * @param why what it failed with
   * @param nextStart when that will be, if nobody sets the clock meanwhile
   * @param failures how often it failed without a good run in between, this time included
   */
  record Down(Instant since, String why, Instant nextStart, int failures)
      implements ComponentStatus {}

  /** Why a process with this component is not ready; empty if that is not because of it. */
  default Optional<String> notReady() {
    return switch (this) {
      case Starting(boolean isAwaited) ->
          isAwaited ? Optional.of("not started yet") : Optional.empty();
      case Running _ -> Optional.empty();
      case Down(Instant since, String why, Instant nextStart, int failures) ->
          Optional.of(
              "down since %s: %s; next start at %s (failures in a row: %d)"
                  .formatted(since, why, nextStart, failures));
    };
  }
}
